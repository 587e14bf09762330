import torch
from torch import nn


class AddNoise_(torch.autograd.Function):
    @staticmethod
    def forward(x, scale):
        x.add_(scale)
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, scale = inputs
        ctx.mark_dirty(x)

    @staticmethod
    def backward(ctx, g):
        return g, None


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        h = torch.exp(self.a(x))
        h = AddNoise_.apply(h, 0.1)
        return self.b(h)


Block()(torch.randn(2, 3)).sum().backward()
