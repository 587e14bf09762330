import torch
from torch import nn
import torch.nn.functional as F


class Memory(nn.Module):
    def __init__(self, N=5, M=4):
        super().__init__()
        self.register_buffer("bias", torch.rand(N, M))
        self.N, self.M = N, M

    def reset(self, b):
        self.memory = self.bias.expand(b, -1, -1).clone()

    def read(self, w):
        return torch.bmm(w.unsqueeze(1), self.memory).squeeze(1)

    def write(self, w, e, a):
        prev = self.memory
        self.memory = torch.empty_like(prev)
        for i in range(prev.size(0)):
            erase = torch.ger(w[i], e[i])
            add = torch.ger(w[i], a[i])
            self.memory[i] = prev[i] * (1 - erase) + add

    def address(self, k, beta):
        sim = F.cosine_similarity(self.memory + 1e-16, k.unsqueeze(1) + 1e-16, dim=-1)
        return F.softmax(beta * sim, dim=1)


class NTM(nn.Module):
    def __init__(self, i=3, h=8):
        super().__init__()
        self.mem = Memory()
        self.cell = nn.LSTMCell(i + 4, h)
        self.heads = nn.Linear(h, 4 + 1 + 4 + 4)
        self.out = nn.Linear(h + 4, i)

    def forward(self, seq):
        b = seq.size(1)
        self.mem.reset(b)
        h = c = torch.zeros(b, 8)
        r = torch.zeros(b, 4)
        outs = []
        for x in seq:
            h, c = self.cell(torch.cat([x, r], 1), (h, c))
            k, beta, e, a = self.heads(h).split([4, 1, 4, 4], dim=1)
            w = self.mem.address(torch.tanh(k), F.softplus(beta))
            self.mem.write(w, torch.sigmoid(e), a)
            r = self.mem.read(w)
            outs.append(self.out(torch.cat([h, r], 1)))
        return torch.stack(outs)
