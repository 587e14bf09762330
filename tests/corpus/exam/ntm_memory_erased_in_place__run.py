import torch
from ntm_memory_erased_in_place import NTM
NTM()(torch.randn(4, 2, 3)).pow(2).mean().backward()
