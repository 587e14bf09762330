import torch
from torch import nn
from torch.nn.utils import spectral_norm


class ClampWeights:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, module, inputs):
        with torch.no_grad():
            module.weight.clamp_(-self.limit, self.limit)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(8, 1)
        for m in (self.a, self.b):
            m.register_forward_pre_hook(ClampWeights(0.5))

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


critic = Critic()
opt = torch.optim.Adam(critic.parameters())
for _ in range(2):
    opt.zero_grad()
    real, fake = critic(torch.cat([torch.randn(4, 4), torch.randn(4, 4)])).chunk(2)
    loss = real.mean() - fake.mean()
    loss.backward()
    opt.step()
