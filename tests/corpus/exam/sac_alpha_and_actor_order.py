import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class SACConfig:
    obs: int = 3
    act: int = 1
    hidden: int = 32
    tau: float = 0.005
    gamma: float = 0.99
    lr: float = 3e-4


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, o))


class Policy(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(cfg.obs, cfg.hidden), nn.ReLU())
        self.mu = nn.Linear(cfg.hidden, cfg.act)
        self.log_std = nn.Linear(cfg.hidden, cfg.act)

    def sample(self, s):
        h = self.trunk(s)
        mu, log_std = self.mu(h), self.log_std(h).clamp(-20, 2)
        d = Normal(mu, log_std.exp())
        u = d.rsample()
        a = torch.tanh(u)
        logp = d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)
        return a, logp.sum(-1, keepdim=True)


class SAC:
    def __init__(self, cfg: SACConfig):
        self.cfg = cfg
        self.policy = Policy(cfg)
        self.q1 = mlp(cfg.obs + cfg.act, cfg.hidden, 1)
        self.q2 = mlp(cfg.obs + cfg.act, cfg.hidden, 1)
        self.q1_t, self.q2_t = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.pi_opt = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr)
        self.q_opt = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()], lr=cfg.lr)
        self.a_opt = torch.optim.Adam([self.log_alpha], lr=cfg.lr)
        self.target_entropy = -float(cfg.act)

    def update(self, s, a, r, s2, done):
        alpha = self.log_alpha.exp()
        new_a, logp = self.policy.sample(s)
        sa = torch.cat([s, new_a], 1)
        q_pi = torch.min(self.q1(sa), self.q2(sa))
        pi_loss = (alpha * logp - q_pi).mean()

        with torch.no_grad():
            a2, logp2 = self.policy.sample(s2)
            sa2 = torch.cat([s2, a2], 1)
            target = r + (1 - done) * self.cfg.gamma * (
                torch.min(self.q1_t(sa2), self.q2_t(sa2)) - alpha * logp2)
        sa_old = torch.cat([s, a], 1)
        q_loss = (self.q1(sa_old) - target).pow(2).mean() + (self.q2(sa_old) - target).pow(2).mean()
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()

        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()

        alpha_loss = -(self.log_alpha * (logp.detach() + self.target_entropy)).mean()
        self.a_opt.zero_grad()
        alpha_loss.backward()
        self.a_opt.step()

        with torch.no_grad():
            for net, tgt in ((self.q1, self.q1_t), (self.q2, self.q2_t)):
                for p, t in zip(net.parameters(), tgt.parameters()):
                    t.mul_(1 - self.cfg.tau).add_(self.cfg.tau * p)
