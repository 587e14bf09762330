import torch
from torch import nn
import torch.nn.functional as F
from collections import OrderedDict


class NormalisedLinear(nn.Linear):
    """Linear whose rows are kept at unit norm; `renorm_` is called by forward when training."""

    def __init__(self, i, o, renorm_every=1):
        super().__init__(i, o, bias=False)
        self.every, self.n = renorm_every, 0

    @torch.no_grad()
    def renorm_(self):
        self.weight.div_(self.weight.norm(dim=1, keepdim=True))

    def forward(self, x):
        if self.training:
            self.n += 1
            if self.n % self.every == 0:
                self.renorm_()
        return F.linear(x, self.weight)


class DINOHead(nn.Module):
    def __init__(self, i=4, h=8, o=6):
        super().__init__()
        self.mlp = nn.Sequential(OrderedDict(fc1=nn.Linear(i, h), act=nn.GELU(), fc2=nn.Linear(h, h)))
        self.last = NormalisedLinear(h, o)

    def forward(self, x):
        return self.last(F.normalize(self.mlp(x), dim=-1))


class MultiCrop(nn.Module):
    def __init__(self, head):
        super().__init__()
        self.head = head

    def forward(self, crops):
        return torch.cat([self.head(c) for c in crops])
