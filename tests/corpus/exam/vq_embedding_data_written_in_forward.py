import torch
from torch import nn
import torch.nn.functional as F


class VectorQuantizer(nn.Module):
    def __init__(self, K=8, D=4):
        super().__init__()
        self.codebook = nn.Parameter(torch.randn(K, D))

    def forward(self, z):
        logits = z @ self.codebook.t()
        soft = logits.softmax(-1)
        q = soft @ self.codebook
        if self.training:
            with torch.no_grad():
                idx = logits.argmax(-1)
                mean = torch.zeros_like(self.codebook).index_add_(0, idx, z)
                self.codebook.data.mul_(0.99).add_(mean, alpha=0.01)
        return q


enc, vq, dec = nn.Linear(6, 4), VectorQuantizer(), nn.Linear(4, 6)
x = torch.randn(5, 6)
F.mse_loss(dec(vq(enc(x))), x).backward()
