import torch
from ssl_dino_head_called_once import *
MultiCrop(DINOHead())([torch.randn(2, 4), torch.randn(3, 4)]).sum().backward()
