import torch
from torch import nn
import torch.nn.functional as F


class QuantConv2d(nn.Conv2d):
    def __init__(self, *args, bits=4, **kwargs):
        super().__init__(*args, **kwargs)
        self.bits = bits
        self.register_buffer("scale", torch.ones(1))

    def quantize_weight(self):
        n = 2 ** (self.bits - 1) - 1
        scale = self.weight.detach().abs().max() / n
        self.scale.copy_(scale)
        return (self.weight / scale).round() * scale

    def forward(self, x):
        return F.conv2d(x, self.quantize_weight(), self.bias, self.stride, self.padding)


class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = QuantConv2d(1, 2, 3)
        self.c2 = QuantConv2d(2, 2, 3, bits=2)

    def forward(self, x, two_views=True):
        a = self.c2(F.relu(self.c1(x)))
        if two_views:
            b = self.c2(F.relu(self.c1(x.flip(-1))))
            return a, b
        return a
