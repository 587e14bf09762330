import torch
from torch import nn


class Node:
    def __init__(self, idx, children=()):
        self.idx, self.children = idx, list(children)


class ChildSumTreeLSTM(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.h = h
        self.iou = nn.Linear(i + h, 3 * h)
        self.f = nn.Linear(i + h, h)

    def node(self, tree, x, H, C):
        h_sum = torch.zeros(self.h)
        fc = torch.zeros(self.h)
        for ch in tree.children:
            self.node(ch, x, H, C)
            h_sum = h_sum + H[ch.idx]
            f = torch.sigmoid(self.f(torch.cat([x[tree.idx], H[ch.idx]])))
            fc = fc + f * C[ch.idx]
        i, o, u = self.iou(torch.cat([x[tree.idx], h_sum])).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(u) + fc
        C[tree.idx] = c
        H[tree.idx] = torch.sigmoid(o) * torch.tanh(c)

    def forward(self, tree, x):
        H, C = torch.zeros(len(x), self.h), torch.zeros(len(x), self.h)
        self.node(tree, x, H, C)
        return H[tree.idx]


tree = Node(0, [Node(1, [Node(3)]), Node(2)])
ChildSumTreeLSTM(3, 4)(tree, torch.randn(4, 3)).sum().backward()
