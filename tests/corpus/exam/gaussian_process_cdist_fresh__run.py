import torch
from gaussian_process_cdist_fresh import ExactGP
x = torch.linspace(0, 1, 5)[:, None]
(-ExactGP(x, x[:, 0]).mll()).backward()
