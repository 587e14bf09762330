import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import Optional


def scatter_softmax(src: torch.Tensor, index: torch.Tensor, n: int) -> torch.Tensor:
    out = src.exp()
    norm = torch.zeros(n, src.size(1)).index_add_(0, index, out)
    out /= norm[index] + 1e-16
    return out


class GATLayer(nn.Module):
    def __init__(self, in_dim: int, out_dim: int, heads: int = 2):
        super().__init__()
        self.lin = nn.Linear(in_dim, out_dim * heads, bias=False)
        self.att = nn.Parameter(torch.randn(1, heads, 2 * out_dim) * 0.1)
        self.heads, self.out_dim = heads, out_dim

    def message(self, h, src, dst):
        e = torch.cat([h[src], h[dst]], dim=-1)
        return F.leaky_relu((e * self.att).sum(-1), 0.2)

    def forward(self, x, edge_index, edge_weight: Optional[torch.Tensor] = None):
        n = x.size(0)
        src, dst = edge_index
        h = self.lin(x).view(n, self.heads, self.out_dim)
        alpha = scatter_softmax(self.message(h, src, dst), dst, n)
        if edge_weight is not None:
            alpha = alpha * edge_weight.unsqueeze(-1)
        out = torch.zeros_like(h)
        out.index_add_(0, dst, h[src] * alpha.unsqueeze(-1))
        return out.mean(1)
