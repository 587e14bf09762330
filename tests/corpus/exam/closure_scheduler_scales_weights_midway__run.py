import torch
from torch import nn
from closure_scheduler_scales_weights_midway import make_decay, fit
m = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Conv1d(2, 1, 1), nn.Linear(8, 1))
fit(m, [(torch.randn(2, 3), torch.randn(1, 1))] * 2, make_decay(m.parameters(), 0.1), torch.optim.SGD(m.parameters(), 0.1))
