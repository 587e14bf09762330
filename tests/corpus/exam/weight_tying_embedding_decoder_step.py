import torch
from torch import nn


class LM(nn.Module):
    def __init__(self, v=10, d=6):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, v, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, ids, h=None):
        y, h = self.rnn(self.emb(ids), h)
        return self.out(y), h


lm = LM()
emb_opt = torch.optim.SparseAdam if False else torch.optim.SGD
opt_e = emb_opt(lm.emb.parameters(), lr=0.1)
opt_r = torch.optim.SGD(lm.rnn.parameters(), lr=0.1)
for _ in range(2):
    ids = torch.randint(0, 10, (2, 5))
    logits, _ = lm(ids)
    loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    aux = logits.pow(2).mean()
    opt_e.zero_grad(); opt_r.zero_grad()
    loss.backward(retain_graph=True)
    opt_e.step()
    aux.backward()
    opt_r.step()
