import torch
from timm_style_registry_gate_inplace_on_saved import Net
Net()(torch.randn(2, 3, 6, 6)).sum().backward()
