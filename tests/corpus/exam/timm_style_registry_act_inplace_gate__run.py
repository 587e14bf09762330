import torch
from timm_style_registry_act_inplace_gate import Net
Net()(torch.randn(2, 3, 6, 6)).sum().backward()
