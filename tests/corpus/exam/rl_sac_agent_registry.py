from __future__ import annotations
import copy
import logging
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .base import BaseAgent, register_agent
from .networks import make_critic, make_policy
from ..utils.buffers import ReplayBuffer
from ..utils.misc import soft_update

log = logging.getLogger(__name__)


@dataclass
class SACConfig:
    gamma: float = 0.99
    tau: float = 0.005
    actor_lr: float = 3e-4
    critic_lr: float = 3e-4
    alpha_lr: float = 3e-4
    policy_delay: int = 1
    auto_alpha: bool = True


@register_agent("sac")
class SACAgent(BaseAgent):
    def __init__(self, obs_space, act_space, cfg: SACConfig, device="cpu"):
        super().__init__(obs_space, act_space, device)
        self.cfg = cfg
        self.actor = make_policy(obs_space, act_space).to(device)
        self.critic = make_critic(obs_space, act_space).to(device)
        self.critic_target = copy.deepcopy(self.critic)
        for p in self.critic_target.parameters():
            p.requires_grad_(False)
        self.log_alpha = torch.zeros(1, requires_grad=True, device=device)
        self.target_entropy = -float(np.prod(act_space.shape))
        self.actor_optim = torch.optim.Adam(self.actor.parameters(), lr=cfg.actor_lr)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=cfg.critic_lr)
        self.alpha_optim = torch.optim.Adam([self.log_alpha], lr=cfg.alpha_lr)
        self.updates = 0

    @property
    def alpha(self) -> Tensor:
        return self.log_alpha.exp()

    def act(self, obs: Tensor, deterministic: bool = False):
        with torch.no_grad():
            a, _ = self.actor.sample(obs, deterministic)
        return a.cpu().numpy()

    def critic_loss(self, batch: Dict[str, Tensor]) -> Tensor:
        with torch.no_grad():
            na, nlogp = self.actor.sample(batch["next_obs"])
            tq1, tq2 = self.critic_target(batch["next_obs"], na)
            target = torch.min(tq1, tq2) - self.alpha * nlogp
            target = batch["reward"] + self.cfg.gamma * (1 - batch["done"]) * target
        q1, q2 = self.critic(batch["obs"], batch["action"])
        return F.mse_loss(q1, target) + F.mse_loss(q2, target)

    def actor_loss(self, batch):
        a, logp = self.actor.sample(batch["obs"])
        q = torch.min(*self.critic(batch["obs"], a))
        return (self.alpha.detach() * logp - q).mean(), logp

    def update(self, buffer: ReplayBuffer, batch_size: int = 256) -> Dict[str, float]:
        batch = buffer.sample(batch_size)
        c_loss = self.critic_loss(batch)
        a_loss, logp = self.actor_loss(batch)
        self.critic_optim.zero_grad(set_to_none=True)
        c_loss.backward()
        self.critic_optim.step()
        info = {"critic_loss": c_loss.item()}
        if self.updates % self.cfg.policy_delay == 0:
            self.actor_optim.zero_grad(set_to_none=True)
            a_loss.backward()
            self.actor_optim.step()
            if self.cfg.auto_alpha:
                al = -(self.log_alpha * (logp.detach() + self.target_entropy)).mean()
                self.alpha_optim.zero_grad()
                al.backward()
                self.alpha_optim.step()
            soft_update(self.critic, self.critic_target, self.cfg.tau)
        self.updates += 1
        return info
