import torch
from ntm_memory_rebound import NTM
NTM()(torch.randn(4, 2, 3)).pow(2).mean().backward()
