import random
from collections import deque

import torch
from torch import nn


class QNet(nn.Module):
    def __init__(self, n_obs=4, n_act=2):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(n_obs, 16), nn.Linear(16, n_act)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.q, self.target = QNet(), QNet()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=cfg["lr"])
        self.memory = deque(maxlen=cfg["capacity"])
        self.steps = 0

    def learn(self):
        if len(self.memory) < self.cfg["batch"]:
            return
        batch = random.sample(self.memory, self.cfg["batch"])
        s, a, r, s2, d = map(torch.stack, zip(*batch))
        q = self.q(s).gather(1, a.view(-1, 1)).squeeze(1)
        q_next = self.target(s2).max(1)[0]
        loss = nn.functional.smooth_l1_loss(q, r + 0.99 * (1 - d) * q_next)
        self.steps += 1
        if self.steps % self.cfg["sync"] == 0:
            self.target.load_state_dict(self.q.state_dict())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def main():
    agent = Agent({"lr": 1e-3, "capacity": 100, "batch": 4, "sync": 2})
    s = torch.randn(4)
    for t in range(12):
        s2 = torch.randn(4)
        agent.memory.append((s, torch.tensor(t % 2), torch.tensor(1.0), s2, torch.tensor(0.0)))
        agent.learn()
        s = s2


main()
