import torch
from running_welford_normalizer_buffer_saved import ValueNet
net = ValueNet()
net(torch.randn(6, 3)).pow(2).mean().backward()
