import torch
from torch import nn


def batches(n, t, f):
    while n:
        yield torch.randn(t, 2, f), torch.randn(t, 2, 1)
        n -= 1


class Forecaster(nn.Module):
    def __init__(self, f=3, h=5):
        super().__init__()
        self.cell = nn.GRUCell(f, h)
        self.head = nn.Linear(h, 1)
        self._state = None

    @property
    def state(self):
        return self._state

    def reset(self):
        self._state = None

    def forward(self, seq):
        outs = []
        h = self._state if self._state is not None else torch.zeros(seq.size(1), 5)
        for x in seq:
            h = self.cell(x, h)
            outs.append(self.head(h))
        self._state = h
        return torch.stack(outs)


def fit(model, opt):
    data = batches(3, 4, 3)
    while True:
        try:
            x, y = next(data)
        except StopIteration:
            break
        loss = (model(x) - y).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


model = Forecaster()
fit(model, torch.optim.Adam(model.parameters()))
