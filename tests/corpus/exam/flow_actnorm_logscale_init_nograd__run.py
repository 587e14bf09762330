import torch
from flow_actnorm_logscale_init_nograd import Glow
z, ld = Glow()(torch.randn(5, 4))
(z.pow(2).sum(1) - ld).mean().backward()
