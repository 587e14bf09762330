import torch
from torch import nn


class RunningNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("m2", torch.ones(d))

    def update(self, x):
        self.count += x.size(0)
        delta = x.mean(0) - self.mean
        self.mean += delta / self.count
        self.m2 += delta * (x.mean(0) - self.mean)

    def forward(self, x):
        if self.training:
            self.update(x.detach())
        return (x - self.mean) / (self.m2 / self.count).sqrt()


class ValueNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(3, 4)
        self.norm = RunningNorm(4)
        self.v = nn.Linear(4, 1)

    def forward(self, s):
        return self.v(self.norm(self.enc(s)))


net = ValueNet()
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    s, s2 = torch.randn(6, 3), torch.randn(6, 3)
    td = 1.0 + 0.9 * net(s2).detach() - net(s)
    loss = td.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
