import torch
from ssl_byol_online_rescaled import *
MultiCrop(DINOHead())([torch.randn(2, 4), torch.randn(3, 4)]).sum().backward()
