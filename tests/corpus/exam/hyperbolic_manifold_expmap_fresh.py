import torch
from torch.autograd import Function


class Artanh(Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clamp(-1 + 1e-5, 1 - 1e-5)
        ctx.save_for_backward(x)
        res = (torch.log_(1 + x).sub_(torch.log_(1 - x))).mul_(0.5)
        return res

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output / (1 - x ** 2)


class LeakyClamp(Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x.ge(lo) & x.le(hi))
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        mask = mask.type_as(g)
        g = g * mask
        return g + 1e-3 * g * (1 - mask), None, None


def artanh(x):
    return Artanh.apply(x)


class PoincareBall:
    def __init__(self, c=1.0):
        self.c = c

    def norm(self, x):
        return x.norm(dim=-1, keepdim=True).clamp_min(1e-5)

    def mobius_add(self, x, y):
        c = self.c
        x2 = x.pow(2).sum(-1, keepdim=True)
        y2 = y.pow(2).sum(-1, keepdim=True)
        xy = (x * y).sum(-1, keepdim=True)
        num = (1 + 2 * c * xy + c * y2) * x + (1 - c * x2) * y
        den = 1 + 2 * c * xy + c ** 2 * x2 * y2
        return num / den.clamp_min(1e-5)

    def proj(self, x):
        n = self.norm(x)
        maxn = (1 - 1e-3) / self.c ** 0.5
        return torch.where(n > maxn, x / n * maxn, x)

    def expmap0(self, u):
        n = self.norm(u)
        return self.proj(torch.tanh(n) * u / n)

    def logmap0(self, y):
        n = self.norm(y)
        return artanh(n) * y / n

    def linear(self, x, w):
        return self.expmap0(self.logmap0(x) @ w.t())


class HypLinear(torch.nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(o, i) * 0.1)
        self.ball = PoincareBall()

    def forward(self, x):
        return self.ball.linear(self.ball.expmap0(x), self.w)
