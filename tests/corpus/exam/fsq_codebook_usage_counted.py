import torch
from torch import nn
import torch.nn.functional as F


class VectorQuantizerEMA(nn.Module):
    def __init__(self, K=8, D=4, decay=0.9, eps=1e-5):
        super().__init__()
        self.K, self.D, self.decay, self.eps = K, D, decay, eps
        embed = torch.randn(D, K)
        self.register_buffer("embed", embed)
        self.register_buffer("cluster_size", torch.zeros(K))
        self.register_buffer("embed_avg", embed.clone())

    def forward(self, z):
        flat = z.reshape(-1, self.D)
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed + self.embed.pow(2).sum(0, keepdim=True)
        _, ind = (-dist).max(1)
        onehot = F.one_hot(ind, self.K).type(flat.dtype)
        quant = F.embedding(ind.view(*z.shape[:-1]), self.embed.transpose(0, 1))
        if self.training:
            n = onehot.sum(0)
            s = flat.transpose(0, 1) @ onehot
            self.cluster_size.data.mul_(self.decay).add_(n, alpha=1 - self.decay)
            self.embed_avg.data.mul_(self.decay).add_(s.data, alpha=1 - self.decay)
            tot = self.cluster_size.sum()
            size = (self.cluster_size + self.eps) / (tot + self.K * self.eps) * tot
            self.embed.data.copy_(self.embed_avg / size.unsqueeze(0))
        diff = (quant.detach() - z).pow(2).mean()
        quant = z + (quant - z).detach()
        return quant, diff, ind


enc, vq, dec = nn.Linear(6, 4), VectorQuantizerEMA(), nn.Linear(4, 6)
x = torch.randn(5, 6)
q, d, _ = vq(enc(x))
(F.mse_loss(dec(q), x) + d).backward()
