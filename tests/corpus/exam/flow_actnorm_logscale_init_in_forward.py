import torch
from torch import nn


class ActNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(1, dim))
        self.logs = nn.Parameter(torch.zeros(1, dim))
        self.register_buffer("initialized", torch.tensor(0, dtype=torch.uint8))

    def initialize(self, x):
        mean = x.mean(0, keepdim=True)
        std = x.std(0, keepdim=True)
        self.loc.copy_(-mean)
        self.logs.copy_(-torch.log(std + 1e-6))

    def forward(self, x):
        if self.training and self.initialized.item() == 0:
            self.initialize(x)
            self.initialized.fill_(1)
        return (x + self.loc) * self.logs.exp(), self.logs.sum().expand(x.size(0))


class Glow(nn.Module):
    def __init__(self, dim=4, depth=2):
        super().__init__()
        self.steps = nn.ModuleList(ActNorm(dim) for _ in range(depth))

    def forward(self, x):
        logdet = 0
        for s in self.steps:
            x, ld = s(x)
            logdet = logdet + ld
        return x, logdet
