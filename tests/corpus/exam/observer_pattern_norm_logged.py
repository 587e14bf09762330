import torch
from torch import nn


class Subject:
    def __init__(self):
        self._subs = {}

    def subscribe(self, event, fn):
        self._subs.setdefault(event, []).append(fn)

    def publish(self, event, **payload):
        for fn in self._subs.get(event, ()):
            fn(**payload)


bus = Subject()


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        h = torch.tanh(self.fc(x))
        bus.publish("activation", name="tanh", value=h)
        return h


log = []


def centre(name, value):
    with torch.no_grad():
        value = value - value.mean(0, keepdim=True)
        value.abs_()
        log.append((name, value.max().item()))


bus.subscribe("activation", centre)
net = nn.Sequential(Block(4), Block(4))
net(torch.randn(3, 4)).sum().backward()
