import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(d, d), nn.Linear(d, d)
        self.act = nn.GELU()

    def forward(self, x):
        h = self.fc2(self.act(self.fc1(x)))
        h += x
        return h


class Stack(nn.Module):
    def __init__(self, d=4, n=2, use_ckpt=True):
        super().__init__()
        self.blocks = nn.ModuleList(Block(d) for _ in range(n))
        self.head = nn.Linear(d, 1)
        self.use_ckpt = use_ckpt

    def forward(self, x):
        for blk in self.blocks:
            if self.use_ckpt and self.training:
                y = checkpoint(blk, x, use_reentrant=False)
            else:
                y = blk(x)
            x.add_(y)
        return self.head(x)
