import torch
from torch.optim import Optimizer
from collections import defaultdict


class Lookahead(Optimizer):
    def __init__(self, base: Optimizer, k=5, alpha=0.5):
        self.base = base
        self.k, self.alpha = k, alpha
        self.param_groups = base.param_groups
        self.state = defaultdict(dict)
        for g in self.param_groups:
            g["counter"] = 0

    def _sync(self, group):
        for fast in group["params"]:
            st = self.state[fast]
            if "slow" not in st:
                st["slow"] = torch.zeros_like(fast.data)
                st["slow"].copy_(fast.data)
            slow = st["slow"]
            slow += (fast.data - slow) * self.alpha
            fast.data.copy_(slow)

    def step(self, closure=None):
        loss = self.base.step(closure)
        for g in self.param_groups:
            g["counter"] += 1
            if g["counter"] % self.k == 0:
                self._sync(g)
        return loss

    def zero_grad(self, set_to_none=True):
        self.base.zero_grad(set_to_none)
