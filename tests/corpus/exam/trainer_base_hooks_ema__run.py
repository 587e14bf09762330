import torch
from torch import nn
from trainer_base_hooks_ema import RegressionTrainer
t = RegressionTrainer(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
t.fit([(torch.randn(5, 3), torch.randn(5, 1))] * 2)
