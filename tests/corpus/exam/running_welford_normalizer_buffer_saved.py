import torch
from torch import nn


class RunningNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("inv_std", torch.ones(d))

    @torch.no_grad()
    def update(self, x):
        self.mean.lerp_(x.mean(0), 0.1)
        self.inv_std.lerp_(1 / (x.std(0) + 1e-5), 0.1)

    def forward(self, x):
        y = (x - self.mean) * self.inv_std
        if self.training:
            self.update(x)
        return y


class ValueNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(3, 4)
        self.norm = RunningNorm(4)
        self.v = nn.Linear(4, 1)

    def forward(self, s):
        return self.v(self.norm(self.enc(s)))
