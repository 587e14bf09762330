import random

import torch
from torch import nn
import torch.nn.functional as F


class AttnDecoder(nn.Module):
    def __init__(self, vocab, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, hid)
        self.score = nn.Linear(2 * hid + 1, 1)
        self.gru = nn.GRUCell(2 * hid, hid)
        self.out = nn.Linear(hid, vocab)

    def attend(self, h, enc, coverage):
        q = h.unsqueeze(1).expand_as(enc)
        s = self.score(torch.cat([q, enc, coverage.unsqueeze(-1)], -1)).squeeze(-1)
        return F.softmax(s, dim=-1)

    def forward(self, enc, h, target):
        B, T = target.shape
        coverage = torch.zeros(B, enc.size(1))
        cov_loss = 0
        logits = []
        tok = torch.zeros(B, dtype=torch.long)
        for t in range(T):
            w = self.attend(h, enc, coverage)
            cov_loss = cov_loss + torch.minimum(w, coverage).sum()
            coverage += w
            ctx = (w.unsqueeze(-1) * enc).sum(1)
            h = self.gru(torch.cat([self.emb(tok), ctx], -1), h)
            logits.append(self.out(h))
            tok = target[:, t]
        return torch.stack(logits, 1), cov_loss


def main():
    dec = AttnDecoder(11, 8)
    opt = torch.optim.Adam(dec.parameters())
    for it in range(2):
        tgt = torch.randint(0, 11, (3, 4))
        logits, cov = dec(torch.randn(3, 5, 8), torch.zeros(3, 8), tgt)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten()) + 0.1 * cov
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
