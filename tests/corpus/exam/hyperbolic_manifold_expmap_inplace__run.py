import torch
from hyperbolic_manifold_expmap_inplace import HypLinear
HypLinear(3, 2)(torch.randn(4, 3)).sum().backward()
