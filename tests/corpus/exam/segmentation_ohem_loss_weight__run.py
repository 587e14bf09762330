import torch
from segmentation_ohem_loss_weight import *
h = PSPHead(in_channels=3, channels=4, num_classes=2, sampler=OHEMPixelSampler())
h.losses(h(torch.randn(2, 3, 4, 4)), torch.randint(0, 2, (2, 8, 8)))["loss_ce"].backward()
