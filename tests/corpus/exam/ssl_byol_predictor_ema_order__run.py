import torch
from torch import nn
from ssl_byol_predictor_ema_order import BYOL
BYOL(nn.Linear(6, 4))(torch.randn(4, 6), torch.randn(4, 6)).backward()
