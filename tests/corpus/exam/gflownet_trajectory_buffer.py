from dataclasses import dataclass, field
from typing import List, NamedTuple

import torch
import torch.nn as nn


class Transition(NamedTuple):
    state: torch.Tensor
    logp: torch.Tensor
    done: torch.Tensor


@dataclass
class Trajectories:
    steps: List[Transition] = field(default_factory=list)

    def add(self, *a):
        self.steps.append(Transition(*a))

    def logp(self):
        return torch.stack([s.logp * (~s.done) for s in self.steps]).sum(0)


class HyperGrid:
    def __init__(self, n=2, size=4):
        self.n, self.size = n, size

    def reset(self, b):
        return torch.zeros(b, self.n)

    def step(self, s, a):
        s[torch.arange(len(s)), a.clamp(max=self.n - 1)] += 1
        done = (a == self.n) | (s.max(1).values >= self.size - 1)
        return s, done

    def reward(self, s):
        return s.mean(1) + 0.1


class Sampler:
    def __init__(self, env, policy):
        self.env, self.policy = env, policy

    def rollout(self, b, max_steps=3):
        traj = Trajectories()
        s = self.env.reset(b)
        done = torch.zeros(b, dtype=torch.bool)
        for _ in range(max_steps):
            dist = torch.distributions.Categorical(logits=self.policy(s))
            a = dist.sample()
            s, d = self.env.step(s, a)
            traj.add(s, dist.log_prob(a), done)
            done = done | d
        return traj, self.env.reward(s)


class TBTrainer:
    def __init__(self, env, hidden=8, lr=1e-3):
        self.policy = nn.Sequential(nn.Linear(env.n, hidden), nn.ReLU(), nn.Linear(hidden, env.n + 1))
        self.logZ = nn.Parameter(torch.zeros(1))
        self.sampler = Sampler(env, self.policy)
        self.opt = torch.optim.Adam([{"params": self.policy.parameters()}, {"params": [self.logZ], "lr": 0.1}], lr=lr)

    def step(self, b=4):
        traj, r = self.sampler.rollout(b)
        loss = (self.logZ + traj.logp() - r.log()).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
