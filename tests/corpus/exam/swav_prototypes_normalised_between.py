import torch
from torch import nn
import torch.nn.functional as F


@torch.no_grad()
def sinkhorn(out, eps=0.05, iters=3):
    Q = torch.exp(out / eps).t()
    Q /= Q.sum()
    K, B = Q.shape
    for _ in range(iters):
        Q /= Q.sum(dim=1, keepdim=True)
        Q /= K
        Q /= Q.sum(dim=0, keepdim=True)
        Q /= B
    Q *= B
    return Q.t()


class SwAV(nn.Module):
    def __init__(self, d=6, k=4):
        super().__init__()
        self.enc = nn.Linear(d, d)
        self.prototypes = nn.Linear(d, k, bias=False)

    def normalize_prototypes(self):
        with torch.no_grad():
            w = self.prototypes.weight.data.clone()
            w = F.normalize(w, dim=1, p=2)
            self.prototypes.weight.copy_(w)

    def forward(self, x):
        z = F.normalize(self.enc(x), dim=1)
        return z, self.prototypes(z)


def swap_loss(p1, q2, temp=0.1):
    return -(q2 * F.log_softmax(p1 / temp, dim=1)).sum(1).mean()


model = SwAV()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    model.normalize_prototypes()
    x = torch.randn(8, 6)
    z1, p1 = model(x + 0.1 * torch.randn_like(x))
    z2, p2 = model(x + 0.1 * torch.randn_like(x))
    q1, q2 = sinkhorn(p1), sinkhorn(p2)
    loss = swap_loss(p1, q2) + swap_loss(p2, q1)
    opt.zero_grad()
    loss.backward()
    opt.step()
