import numpy as np
import torch
from torch import nn


class Env:
    """Reuses one observation array, as vectorised envs do."""

    def __init__(self, n):
        self.obs = np.zeros(n, dtype=np.float32)

    def reset(self):
        self.obs[:] = 0
        return self.obs

    def step(self, action):
        self.obs += np.float32(action)
        return self.obs, 1.0


policy = nn.Linear(3, 1)
opt = torch.optim.SGD(policy.parameters(), lr=0.01)
env = Env(3)
for episode in range(2):
    obs = env.reset()
    outs = []
    for t in range(4):
        state = torch.from_numpy(obs)
        a = policy(state)
        outs.append(a)
        obs, reward = env.step(a.item())
    loss = torch.stack(outs).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
