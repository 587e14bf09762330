import torch
from torch import nn
from typing import Optional, Type

ACT = {
    "relu": nn.ReLU,
    "silu": nn.SiLU,
    "hsigmoid": nn.Hardsigmoid,
    "elu": nn.ELU,
    "sigmoid": nn.Sigmoid,
}


def create_act(name: Optional[str], inplace: bool = False) -> nn.Module:
    if not name:
        return nn.Identity()
    cls = ACT[name]
    return cls(inplace=inplace) if name != "sigmoid" else cls()


class ConvNormAct(nn.Module):
    def __init__(self, i, o, k=3, act="relu", norm: Optional[Type[nn.Module]] = nn.BatchNorm2d):
        super().__init__()
        self.conv = nn.Conv2d(i, o, k, padding=k // 2, bias=norm is None)
        self.bn = norm(o) if norm is not None else nn.Identity()
        self.act = create_act(act, inplace=True)

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class MBConv(nn.Module):
    def __init__(self, ch, gate="sigmoid", act="silu"):
        super().__init__()
        self.expand = ConvNormAct(ch, 2 * ch, 1, act)
        self.gate_conv = nn.Conv2d(2 * ch, 2 * ch, 1)
        self.gate = create_act(gate)
        self.project = ConvNormAct(2 * ch, ch, 1, act=None)
        self.out_act = create_act("elu", inplace=True)

    def forward(self, x):
        shortcut = x
        x = self.expand(x)
        g = self.gate(self.gate_conv(x.mean((2, 3), keepdim=True)))
        x = x * g
        x = self.project(x)
        x += shortcut
        return self.out_act(x)


class Net(nn.Module):
    def __init__(self, depth=2, **kwargs):
        super().__init__()
        self.stem = ConvNormAct(3, 8, act="elu")
        self.blocks = nn.Sequential(*[MBConv(8, **kwargs) for _ in range(depth)])

    def forward(self, x):
        return self.blocks(self.stem(x)).mean((2, 3))
