import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self, vocab=7, hid=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, hid)
        self.cell = nn.GRUCell(hid, hid)
        self.proj = nn.Linear(hid, vocab)

    def step(self, tok, h):
        h = self.cell(self.emb(tok), h)
        return F.log_softmax(self.proj(h), -1), h


class BeamTrainer(nn.Module):
    """Scheduled beam: keeps k hypotheses and returns the score of the best for a REINFORCE-ish loss."""

    def __init__(self, k=2, eos=1, max_len=4):
        super().__init__()
        self.dec = Decoder()
        self.k, self.eos, self.max_len = k, eos, max_len

    def forward(self, h):
        scores = torch.zeros(self.k)
        tok = torch.zeros(self.k, dtype=torch.long)
        h = h.expand(self.k, -1)
        done = torch.zeros(self.k, dtype=torch.bool)
        for _ in range(self.max_len):
            logp, h = self.dec.step(tok, h)
            logp[done] = float("-inf")
            logp[done, self.eos] = 0.0
            total = (scores[:, None] + logp).view(-1)
            scores, idx = total.topk(self.k)
            tok, src = idx % 7, torch.div(idx, 7, rounding_mode="floor")
            h, done = h[src], done[src] | (tok == self.eos)
        return scores[0]
