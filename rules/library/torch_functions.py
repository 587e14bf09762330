"""Functions of torch whose inside shows: what a row of the table can't say."""

import torch


def vander(x, N=None, increasing=False):
    powers = torch.empty(3, 3)
    powers[:, 0] = 1
    tail = powers[:, 1:]
    tail.copy_(x.unsqueeze(1))
    tail.copy_(tail.cumprod(1))
    return powers if increasing else powers.flip(1)
