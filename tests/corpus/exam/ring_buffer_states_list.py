import torch
from torch import nn


class DelayLine(nn.Module):
    """h_t depends on h_{t-4}, kept in a ring buffer."""

    def __init__(self, d=3, delay=4):
        super().__init__()
        self.w = nn.Linear(d, d)
        self.g = nn.Parameter(torch.ones(d))
        self.delay = delay

    def forward(self, xs):
        ring = [torch.zeros(xs.size(1), xs.size(2)) for _ in range(self.delay)]
        out = torch.zeros_like(xs)
        for t, x in enumerate(xs):
            k = t % self.delay
            h = torch.tanh(self.w(x) + self.g * ring[k])
            ring[k] = h
            out[t] = h
        return out


DelayLine()(torch.randn(6, 2, 3)).sum().backward()
