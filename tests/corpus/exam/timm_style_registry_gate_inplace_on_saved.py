import torch
from torch import nn
from typing import Optional, Type

ACT = {
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "hsigmoid": nn.Hardsigmoid,
    "elu": nn.ELU,
}


def create_act(name: Optional[str], inplace: bool = False) -> nn.Module:
    if not name:
        return nn.Identity()
    return ACT[name](inplace=inplace)


class MBConv(nn.Module):
    def __init__(self, ch, act="silu"):
        super().__init__()
        self.conv = nn.Conv2d(ch, ch, 3, padding=1)
        self.scale = nn.Parameter(torch.ones(1, ch, 1, 1))
        self.act1 = create_act(act, inplace=True)
        self.act2 = create_act("elu", inplace=True)

    def forward(self, x):
        y = self.act1(self.conv(x))
        z = y * self.scale
        y = self.act2(y)
        return y + z


class Net(nn.Module):
    def __init__(self, depth=2, **kwargs):
        super().__init__()
        self.blocks = nn.Sequential(*[MBConv(3, **kwargs) for _ in range(depth)])

    def forward(self, x):
        return self.blocks(x).mean((2, 3))
