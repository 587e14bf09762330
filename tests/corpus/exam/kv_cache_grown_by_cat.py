import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.cache = None

    def forward(self, x):
        k, v = self.k(x), self.v(x)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], 1)
            v = torch.cat([self.cache[1], v], 1)
        self.cache = (k, v)
        att = self.q(x) @ k.transpose(1, 2)
        att *= 8 ** -0.5
        return att.softmax(-1) @ v


layer = CachedAttention()
x = torch.randn(1, 4, 8)
loss = 0
for t in range(4):
    loss = loss + layer(x[:, t:t + 1]).pow(2).mean()
loss.backward()
