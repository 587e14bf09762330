import torch
from torch import nn


class EWC:
    def __init__(self, model, lam=1.0):
        self.model, self.lam = model, lam
        self.penalty = None

    def consolidate(self, x, y):
        self.model.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x), y)
        self.penalty = self.lam * loss

    def step(self, opt, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        if self.penalty is not None:
            loss = loss + self.penalty
        opt.zero_grad()
        loss.backward()
        opt.step()


def run(model, opt, tasks):
    ewc = EWC(model)
    for data in tasks:
        for x, y in data:
            ewc.step(opt, x, y)
        ewc.consolidate(*data[0])
