import torch
from torch import nn


class Averaged:
    """Wraps a model; everything else is delegated."""

    def __init__(self, model, decay=0.5):
        self._model = model
        self._avg = [p.detach().clone() for p in model.parameters()]
        self._decay = decay

    def __getattr__(self, name):
        return getattr(self._model, name)

    def __call__(self, *a, **k):
        return self._model(*a, **k)

    def pull(self):
        for p, a in zip(self._model.parameters(), self._avg):
            a.mul_(self._decay).add_(p.detach(), alpha=1 - self._decay)
            with torch.no_grad():
                p.lerp_(a, 0.1)


net = Averaged(nn.Sequential(nn.Linear(3, 6), nn.ELU(), nn.Linear(6, 1)))
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    loss = net(torch.randn(4, 3)).pow(2).mean()
    net.pull()
    opt.zero_grad()
    loss.backward()
    opt.step()
