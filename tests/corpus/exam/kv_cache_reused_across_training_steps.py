import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d=8, max_len=4):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.register_buffer("cache_k", torch.zeros(1, max_len, d), persistent=False)
        self.register_buffer("cache_v", torch.zeros(1, max_len, d), persistent=False)

    def forward(self, x, pos):
        self.cache_k[:, pos:pos + 1] = self.k(x)
        self.cache_v[:, pos:pos + 1] = self.v(x)
        keys, vals = self.cache_k[:, :pos + 1], self.cache_v[:, :pos + 1]
        att = (self.q(x) @ keys.transpose(1, 2)).softmax(-1)
        return att @ vals


layer = CachedAttention()
x = torch.randn(1, 4, 8)
loss = 0
for t in range(4):
    loss = loss + layer(x[:, t:t + 1], t).pow(2).mean()
loss.backward()
