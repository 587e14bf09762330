import torch
from torch import nn


def make_decay(params, rate):
    params = list(params)
    count = 0

    def decay():
        nonlocal count
        count += 1
        for p in params:
            if p.ndim > 1:
                p.data.mul_(1 - rate)
        return count

    return decay


def fit(model, batches, decay, opt):
    for x, y in batches:
        loss = nn.functional.l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        decay()
