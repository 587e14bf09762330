import torch
from torch import nn
import torch.nn.functional as F


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
        self.normalize_prototypes()
        z = F.normalize(self.enc(x), dim=1)
        return z, self.prototypes(z)


def swap_loss(p1, q2, temp=0.1):
    return -(q2 * F.log_softmax(p1 / temp, dim=1)).sum(1).mean()


model = SwAV()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(8, 6)
    z1, p1 = model(x + 0.1 * torch.randn_like(x))
    z2, p2 = model(x + 0.1 * torch.randn_like(x))
    loss = swap_loss(p1, p2.softmax(1).detach()) + swap_loss(p2, p1.softmax(1).detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
