import torch
from torch import nn


class StackedGRU(nn.Module):
    def __init__(self, d=4, layers=2):
        super().__init__()
        self.cells = nn.ModuleList([nn.GRUCell(d, d) for _ in range(layers)])
        self.out = nn.Linear(d, 1)
        self.state = None

    def reset(self, b):
        self.state = [torch.zeros(b, c.hidden_size) for c in self.cells]

    def detach(self):
        self.state[-1] = self.state[-1].detach()

    def forward(self, x):
        for i, cell in enumerate(self.cells):
            x = self.state[i] = cell(x, self.state[i])
        return self.out(x)


net = StackedGRU()
opt = torch.optim.Adam(net.parameters())
net.reset(3)
seq = torch.randn(8, 3, 4)
for k in range(0, 8, 2):
    loss = 0
    for t in range(k, k + 2):
        loss = loss + net(seq[t]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.detach()
