import torch
from torch import nn


class EMAScope:
    def __init__(self, model, shadow):
        self.model, self.shadow = model, shadow

    def __enter__(self):
        self.backup = {n: p.data for n, p in self.model.named_parameters()}
        for n, p in self.model.named_parameters():
            p.data = self.shadow[n]
        return self

    def __exit__(self, *exc):
        for n, p in self.model.named_parameters():
            p.data = self.backup[n]


model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
shadow = {n: p.detach().clone() * 0.5 for n, p in model.named_parameters()}
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    loss = model(torch.randn(3, 4)).pow(2).mean()
    with EMAScope(model, shadow), torch.no_grad():
        model(torch.randn(1, 4))
    opt.zero_grad()
    loss.backward()
    opt.step()
