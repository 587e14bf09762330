import torch
from torch import nn


class Rollout:
    def __init__(self, T, n):
        self.T, self.n = T, n
        self.reset()

    def reset(self):
        self.values = torch.zeros(self.T + 1, self.n)
        self.rewards = torch.zeros(self.T, self.n)
        self.log_probs = torch.zeros(self.T, self.n)
        self.step = 0

    def insert(self, value, reward, logp):
        self.values[self.step] = value
        self.rewards[self.step] = reward
        self.log_probs[self.step] = logp
        self.step += 1


net = nn.Linear(3, 2)
opt = torch.optim.RMSprop(net.parameters(), lr=7e-4)
buf = Rollout(4, 5)
for update in range(2):
    buf.reset()
    for t in range(4):
        out = net(torch.randn(5, 3))
        buf.insert(out[:, 0], torch.ones(5), out[:, 1].sigmoid().log())
    ret = buf.rewards.sum(0)
    loss = (ret - buf.values[:-1]).pow(2).mean() - buf.log_probs.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
