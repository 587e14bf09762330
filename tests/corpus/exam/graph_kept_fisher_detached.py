import torch
from torch import nn


class EWC:
    def __init__(self, model, lam=1.0):
        self.model, self.lam = model, lam
        self.fisher, self.star = None, None

    def consolidate(self, x, y):
        self.model.zero_grad()
        nn.functional.cross_entropy(self.model(x), y).backward()
        self.fisher = [p.grad.detach() ** 2 for p in self.model.parameters()]
        self.star = [p.detach().clone() for p in self.model.parameters()]
        self.model.zero_grad()

    def penalty(self):
        if self.fisher is None:
            return 0.0
        total = torch.zeros(())
        for f, s, p in zip(self.fisher, self.star, self.model.parameters()):
            total += (f * (p - s) ** 2).sum()
        return self.lam * total

    def step(self, opt, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y) + self.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()


def run(model, opt, tasks):
    ewc = EWC(model)
    for data in tasks:
        for x, y in data:
            ewc.step(opt, x, y)
        ewc.consolidate(*data[0])
