import importlib
from abc import ABCMeta, abstractmethod
from enum import Enum
from typing import Dict, Type

import torch
from torch import nn
from torch.nn import functional as F

OBSERVERS: Dict[str, Type["ObserverBase"]] = {}


class Scheme(Enum):
    TENSOR = "tensor"
    CHANNEL = "channel"


def register_observer(cls):
    OBSERVERS[cls.__name__.lower()] = cls
    return cls


class ObserverBase(nn.Module, metaclass=ABCMeta):
    def __init__(self, bits: int, scheme: Scheme = Scheme.TENSOR):
        super().__init__()
        self.bits = bits
        self.scheme = scheme
        self.register_buffer("min_val", torch.tensor(float("inf")))
        self.register_buffer("max_val", torch.tensor(float("-inf")))

    @abstractmethod
    def observe(self, x): ...

    @property
    def qmax(self):
        return 2 ** self.bits - 1

    def qparams(self):
        rng = self.max_val - self.min_val
        scale = (rng / self.qmax).clamp(min=1e-8)
        zero = torch.round(-self.min_val / scale)
        return scale, zero


@register_observer
class MinMax(ObserverBase):
    def observe(self, x):
        self.min_val = torch.minimum(self.min_val, x.detach().min())
        self.max_val = torch.maximum(self.max_val, x.detach().max())


@register_observer
class MovingAverage(ObserverBase):
    def __init__(self, bits, scheme=Scheme.TENSOR, momentum=0.1):
        super().__init__(bits, scheme)
        self.momentum = momentum

    def observe(self, x):
        lo, hi = x.detach().aminmax()
        if torch.isinf(self.min_val):
            self.min_val.copy_(lo)
            self.max_val.copy_(hi)
        else:
            self.min_val.lerp_(lo, self.momentum)
            self.max_val.lerp_(hi, self.momentum)


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class FakeQuant(nn.Module):
    def __init__(self, observer="minmax", bits=8, learn_scale=False):
        super().__init__()
        self.observer = OBSERVERS[observer](bits)
        self.log_gain = nn.Parameter(torch.zeros(1)) if learn_scale else None
        self.enabled = True

    def forward(self, x):
        if not self.enabled:
            return x
        if self.training:
            self.observer.observe(x)
        scale, zero = self.observer.qparams()
        if self.log_gain is not None:
            scale = scale * self.log_gain.exp()
        q = RoundSTE.apply(x / scale) + zero
        q.clamp_(0, self.observer.qmax)
        q -= zero
        return q.mul_(scale)


class QuantLinear(nn.Linear):
    def __init__(self, *a, act_quant=None, weight_quant=None, **k):
        super().__init__(*a, **k)
        self.aq = FakeQuant(**(act_quant or {}))
        self.wq = FakeQuant(**(weight_quant or {}))

    def forward(self, x):
        return F.linear(self.aq(x), self.wq(self.weight), self.bias)
