import torch
from torch import nn


class RevIN(nn.Module):
    def __init__(self, num_features, eps=1e-5, affine=True, subtract_last=False):
        super().__init__()
        self.eps, self.affine, self.subtract_last = eps, affine, subtract_last
        if affine:
            self.affine_weight = nn.Parameter(torch.ones(num_features))
            self.affine_bias = nn.Parameter(torch.zeros(num_features))

    def forward(self, x, mode: str):
        if mode == "norm":
            self._stats(x)
            return self._norm(x)
        if mode == "denorm":
            return self._denorm(x)
        raise NotImplementedError

    def _stats(self, x):
        d = tuple(range(1, x.ndim - 1))
        self.mean = x[:, -1:] if self.subtract_last else x.mean(d, keepdim=True).detach()
        self.stdev = torch.sqrt(x.var(d, keepdim=True, unbiased=False) + self.eps).detach()

    def _norm(self, x):
        x = x - self.mean
        x /= self.stdev
        if self.affine:
            x *= self.affine_weight
            x += self.affine_bias
        return x

    def _denorm(self, x):
        if self.affine:
            x -= self.affine_bias
            x /= self.affine_weight + self.eps ** 2
        x *= self.stdev
        x += self.mean
        return x


class Model(nn.Module):
    def __init__(self, c=3, seq=6, pred=2):
        super().__init__()
        self.rev = RevIN(c)
        self.lin = nn.Linear(seq, pred)

    def forward(self, x):
        x = self.rev(x, "norm")
        y = self.lin(x.transpose(1, 2)).transpose(1, 2)
        return self.rev(y, "denorm")
