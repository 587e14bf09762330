import torch
from torch import nn


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    inter = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(inter)
    grad, = torch.autograd.grad(score.sum(), inter, create_graph=True)
    sq = grad.pow(2).sum(1)
    sq += 1e-12
    norm = sq.sqrt()
    excess = norm - 1
    excess.clamp_(min=0)
    return (excess * excess).mean()


critic = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), betas=(0.0, 0.9))
for _ in range(2):
    gp = gradient_penalty(critic, torch.randn(8, 4), torch.randn(8, 4))
    opt.zero_grad()
    gp.backward()
    opt.step()
