import torch
from torch import nn


class Gaussians:
    def __init__(self, n=5):
        self._xyz = nn.Parameter(torch.randn(n, 3))
        self._opacity = nn.Parameter(torch.zeros(n, 1))
        self._scaling = nn.Parameter(torch.zeros(n, 3))

    @property
    def opacity(self):
        return torch.sigmoid(self._opacity)

    @property
    def scaling(self):
        return torch.exp(self._scaling)

    def parameters(self):
        return [self._xyz, self._opacity, self._scaling]

    def reset_opacity(self):
        with torch.no_grad():
            self._opacity.copy_(torch.logit(self.opacity.clamp(max=0.01)))


def render(g, origin):
    d = ((g._xyz - origin) / g.scaling).pow(2).sum(-1, keepdim=True)
    alpha = g.opacity * torch.exp(-0.5 * d)
    return (alpha * g._xyz).sum(0)


g = Gaussians()
opt = torch.optim.Adam(g.parameters(), lr=1e-2)
for it in range(1, 5):
    image = render(g, torch.zeros(3))
    loss = image.abs().mean() + 0.1 * (g.scaling * g._opacity).pow(2).mean()
    if it % 2 == 0:
        g.reset_opacity()
    loss.backward()
    opt.step()
    opt.zero_grad()
