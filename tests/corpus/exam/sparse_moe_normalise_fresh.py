import torch
from torch import nn
import torch.nn.functional as F
from typing import NamedTuple


class Routing(NamedTuple):
    idx: torch.Tensor
    w: torch.Tensor
    aux: torch.Tensor


class TopKRouter(nn.Module):
    def __init__(self, d, n_exp, k=2, jitter=0.0, normalise=True):
        super().__init__()
        self.wg = nn.Linear(d, n_exp, bias=False)
        self.k, self.jitter, self.normalise = k, jitter, normalise
        self.n_exp = n_exp
        self.register_buffer("expert_bias", torch.zeros(n_exp))

    def _jitter(self, x):
        if self.training and self.jitter > 0:
            x *= torch.empty_like(x).uniform_(1 - self.jitter, 1 + self.jitter)
        return x

    def forward(self, x) -> Routing:
        logits = self.wg(self._jitter(x))
        probs = logits.softmax(-1)
        w, idx = (probs + self.expert_bias).topk(self.k, -1)
        w = probs.gather(-1, idx)
        if self.normalise:
            w = w / w.sum(-1, keepdim=True)
        load = F.one_hot(idx, self.n_exp).float().mean((0, 1))
        return Routing(idx, w, (probs.mean(0) * load).sum() * self.n_exp)

    @torch.no_grad()
    def update_bias(self, load, lr=1e-3):
        self.expert_bias.add_(lr * (load.mean() - load).sign())


class Expert(nn.Sequential):
    def __init__(self, d, h):
        super().__init__(nn.Linear(d, h), nn.SiLU(inplace=True), nn.Linear(h, d))


class MoE(nn.Module):
    def __init__(self, d=4, h=8, n_exp=3, **kw):
        super().__init__()
        self.router = TopKRouter(d, n_exp, **kw)
        self.experts = nn.ModuleList(Expert(d, h) for _ in range(n_exp))

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        r = self.router(x)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            tok, slot = torch.where(r.idx == e)
            if tok.numel() == 0:
                continue
            y = expert(x[tok])
            y *= r.w[tok, slot, None]
            out.index_add_(0, tok, y)
        return out.view(shape), r.aux
