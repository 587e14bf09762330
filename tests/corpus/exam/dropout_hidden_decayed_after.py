import torch
import torch.nn as nn
from torch.autograd import Variable

# AWD-LSTM style locked dropout, my version

class LockedDropout(nn.Module):
    def __init__(self, p=0.5):
        super(LockedDropout, self).__init__()
        self.p = p
    def forward(self, x):
        if not self.training or not self.p:
            return x
        m = x.data.new(1, x.size(1), x.size(2)).bernoulli_(1 - self.p)
        mask = Variable(m, requires_grad=False).div_(1 - self.p)
        mask = mask.expand_as(x)
        return mask * x

class RNNModel(nn.Module):
    def __init__(self, ntoken=9, ninp=6, nhid=6):
        super(RNNModel, self).__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnns = [nn.LSTM(ninp, nhid) for _ in range(2)]
        self.rnns = nn.ModuleList(self.rnns)
        self.lockdrop = LockedDropout(0.3)
        self.decoder = nn.Linear(nhid, ntoken)
        self.init_weights()
    def init_weights(self):
        self.encoder.weight.data.uniform_(-0.1, 0.1)
        self.decoder.bias.data.fill_(0)
    def forward(self, input, hidden):
        emb = self.encoder(input)
        raw = self.lockdrop(emb)
        new_hidden = []
        outputs = []
        for l, rnn in enumerate(self.rnns):
            raw, h = rnn(raw, hidden[l])
            new_hidden.append(h)
            outputs.append(raw)
            raw = self.lockdrop(raw)
        out = self.decoder(raw)
        return out, new_hidden, outputs[-1]

def repackage(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage(v) for v in h)

model = RNNModel()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
hidden = [(torch.zeros(1, 2, 6), torch.zeros(1, 2, 6)) for _ in range(2)]
for i in range(3):
    data, targets = torch.randint(0, 9, (5, 2)), torch.randint(0, 9, (10,))
    hidden = repackage(hidden)
    opt.zero_grad()
    out, hidden, raw = model(data, hidden)
    loss = nn.functional.cross_entropy(out.view(-1, 9), targets)
    loss = loss + 2 * raw.pow(2).mean()
    loss.backward()
    opt.step()
    hidden = repackage(hidden)
    for h, c in hidden:
        h.mul_(0.9)
        c.mul_(0.9)
