import itertools
import torch
from torch import nn

enc = nn.Linear(3, 4)
frames = [torch.randn(2, 3) for _ in range(4)]
codes = [torch.sigmoid(enc(f)) for f in frames]
running = list(itertools.accumulate(codes, lambda acc, c: acc.mul(0.9).add_(c)))
loss = running[-1].pow(2).sum()
loss.backward()
