import torch
from torch import nn


class TBPTT:
    """Yields chunks and keeps the state between them."""

    def __init__(self, rnn, xs, chunk):
        self.rnn, self.xs, self.chunk = rnn, xs, chunk
        self.state, self.pos = None, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.pos >= self.xs.size(0):
            raise StopIteration
        x = self.xs[self.pos:self.pos + self.chunk]
        self.pos += self.chunk
        if self.state is not None:
            self.state = self.state.detach()
        y, self.state = self.rnn(x, self.state)
        return y


rnn = nn.GRU(3, 4)
head = nn.Linear(4, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])
for y in TBPTT(rnn, torch.randn(6, 2, 3), 2):
    loss = head(y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
