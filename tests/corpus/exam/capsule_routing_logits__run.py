import torch
from capsule_routing_logits import *
margin_loss(CapsNet()(torch.randn(2, 1, 8, 8)), torch.tensor([0, 1])).backward()
