import torch
from torch import nn

_CACHE = {}


def causal(n):
    if n not in _CACHE:
        _CACHE[n] = torch.tril(torch.ones(n, n))
    return _CACHE[n]


class Attn(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)
        self.decay = nn.Parameter(torch.tensor(0.9))

    def forward(self, x, first=False):
        m = causal(x.size(1))
        if first:
            m.mul_(0.5)
        w = (self.q(x) @ self.k(x).transpose(1, 2)) * m * self.decay
        return w.softmax(-1) @ x


attn = Attn()
a = attn(torch.randn(1, 3, 4))
b = attn(torch.randn(1, 3, 4), first=True)
(a + b).sum().backward()
