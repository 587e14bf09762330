from collections import namedtuple
import torch
import torch.nn as nn
import torch.nn.functional as F

Data = namedtuple("Data", "x edge_index edge_attr batch")


def scatter_add(src, index, dim_size):
    out = src.new_zeros((dim_size,) + src.shape[1:])
    return out.scatter_add_(0, index.view(-1, *[1] * (src.dim() - 1)).expand_as(src), src)


def global_mean_pool(x, batch):
    n = int(batch.max()) + 1
    cnt = torch.bincount(batch, minlength=n).clamp_(min=1)
    return scatter_add(x, batch, n).div_(cnt[:, None])


class EdgeGate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.src, self.dst, self.edge = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.val = nn.Linear(dim, dim)
        self.norm_x, self.norm_e = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x, ei, e):
        i, j = ei
        pre = self.src(x)[i] + self.dst(x)[j]
        pre += self.edge(e)
        gate = pre.sigmoid()
        msg = gate * self.val(x)[j]
        den = scatter_add(gate, i, x.size(0)).add_(1e-6)
        agg = scatter_add(msg, i, x.size(0)).div_(den)
        x = x + F.silu(self.norm_x(agg), inplace=True)
        e = F.silu(self.norm_e(pre), inplace=True).add_(e)
        return x, e


class GatedGCN(nn.Module):
    def __init__(self, dim=4, depth=2, out=2):
        super().__init__()
        self.layers = nn.ModuleList([EdgeGate(dim) for _ in range(depth)])
        self.out = nn.Linear(dim, out)

    def forward(self, d: Data):
        x, e = d.x, d.edge_attr
        for l in self.layers:
            x, e = l(x, d.edge_index, e)
        return self.out(global_mean_pool(x, d.batch))
