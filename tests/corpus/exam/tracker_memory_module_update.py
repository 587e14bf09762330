import torch
import torch.nn as nn
import torch.nn.functional as F


class TGNMemory(nn.Module):
    def __init__(self, n_nodes=6, dim=4, msg_dim=3):
        super().__init__()
        self.n_nodes, self.dim = n_nodes, dim
        self.updater = nn.GRUCell(msg_dim, dim)
        self.__init_memory__()

    def __init_memory__(self):
        self.memory = nn.Parameter(torch.zeros(self.n_nodes, self.dim), requires_grad=False)
        self.last_update = nn.Parameter(torch.zeros(self.n_nodes), requires_grad=False)

    def get_memory(self, idxs):
        return self.memory[idxs, :]

    def set_memory(self, idxs, values):
        self.memory[idxs, :] = values

    def update(self, idxs, msgs):
        new = self.updater(msgs, self.get_memory(idxs))
        self.set_memory(idxs, new)
        return new

    def detach_memory(self):
        self.memory.detach_()


class TGN(nn.Module):
    def __init__(self):
        super().__init__()
        self.mem = TGNMemory()
        self.score = nn.Linear(8, 1)

    def forward(self, src, dst, feat):
        self.mem.update(src, feat)
        self.mem.update(dst, feat)
        h = self.mem.memory
        return self.score(torch.cat([h[src], h[dst]], -1)).squeeze(-1)


def run_epoch(model, opt, events, backprop_every=1):
    opt.zero_grad()
    loss = 0.0
    for k, (s, d, f, y) in enumerate(events):
        loss = loss + F.binary_cross_entropy_with_logits(model(s, d, f), y)
        if (k + 1) % backprop_every == 0:
            loss.backward()
            opt.step()
            opt.zero_grad()
            loss = 0.0
            model.mem.detach_memory()
