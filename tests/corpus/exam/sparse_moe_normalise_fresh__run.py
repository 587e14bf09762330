import torch
from sparse_moe_normalise_fresh import MoE
y, aux = MoE()(torch.randn(2, 5, 4))
(y.pow(2).mean() + aux).backward()
