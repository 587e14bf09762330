import torch
import torch.nn as nn
import torch.nn.functional as F


def squash(s, dim=-1, eps=1e-8):
    sq = (s ** 2).sum(dim, keepdim=True)
    return sq / (1 + sq) * s / (sq.sqrt() + eps)


class PrimaryCaps(nn.Module):
    def __init__(self, cin, n_caps, dim):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(cin, dim, 3, stride=2) for _ in range(n_caps)])

    def forward(self, x):
        u = [c(x).flatten(2).transpose(1, 2) for c in self.convs]
        return squash(torch.cat(u, 1))


class DigitCaps(nn.Module):
    def __init__(self, n_in, din, n_out, dout, iters=3):
        super().__init__()
        self.W = nn.Parameter(0.01 * torch.randn(1, n_out, n_in, dout, din))
        self.iters = iters

    def forward(self, u):
        u_hat = (self.W @ u[:, None, :, :, None]).squeeze(-1)
        temp = u_hat.detach()
        b = torch.zeros(u.size(0), u_hat.size(1), u_hat.size(2), 1)
        for it in range(self.iters):
            c = F.softmax(b, dim=1)
            if it == self.iters - 1:
                v = squash((c * u_hat).sum(2))
            else:
                v = squash((c * temp).sum(2))
                b += (temp * v[:, :, None]).sum(-1, keepdim=True)
        return v


class CapsNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.prim = PrimaryCaps(4, 2, 4)
        self.digit = DigitCaps(8, 4, 3, 5)

    def forward(self, x):
        v = self.digit(self.prim(F.relu_(self.conv(x))))
        return v.norm(dim=-1)


def margin_loss(norms, labels, lam=0.5):
    t = F.one_hot(labels, norms.size(1)).float()
    pos = F.relu(0.9 - norms).pow(2)
    neg = F.relu(norms - 0.1).pow(2)
    return (t * pos + lam * (1 - t) * neg).sum(1).mean()
