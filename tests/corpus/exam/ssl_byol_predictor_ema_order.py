import copy
import math
from typing import Iterator, Tuple
import torch
from torch import nn
import torch.nn.functional as F


class MLPHead(nn.Sequential):
    def __init__(self, i, h, o):
        super().__init__(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(inplace=True), nn.Linear(h, o))


class MovingAverage:
    def __init__(self, base=0.996, total=100):
        self.base, self.total, self.step_no = base, total, 0

    @property
    def tau(self):
        return 1 - (1 - self.base) * (math.cos(math.pi * self.step_no / self.total) + 1) / 2

    def __call__(self, pairs: Iterator[Tuple[nn.Parameter, nn.Parameter]]):
        t = self.tau
        for tgt, src in pairs:
            tgt.data = t * tgt.data + (1 - t) * src.data
        self.step_no += 1


class BYOL(nn.Module):
    def __init__(self, backbone: nn.Module, dim=4, hidden=8, out=4, symmetric=True):
        super().__init__()
        self.online = nn.Sequential(backbone, MLPHead(dim, hidden, out))
        self.target = copy.deepcopy(self.online)
        self.target.requires_grad_(False)
        self.predictor = MLPHead(out, hidden, out)
        self.ema = MovingAverage()
        self.symmetric = symmetric

    def update_target(self):
        self.ema(zip(self.target.parameters(), self.online.parameters()))

    @staticmethod
    def loss_fn(p, z):
        p, z = F.normalize(p, dim=-1), F.normalize(z, dim=-1)
        return 2 - 2 * (p * z).sum(-1)

    def forward(self, v1, v2):
        p1, p2 = self.predictor(self.online(v1)), self.predictor(self.online(v2))
        z1, z2 = self.target(v1), self.target(v2)
        loss = self.loss_fn(p1, z2)
        if self.symmetric:
            loss += self.loss_fn(p2, z1)
        self.update_target()
        return loss.mean()
