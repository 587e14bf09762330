import torch
from quant_observer_factory import QuantLinear
m = QuantLinear(3, 2, act_quant=dict(observer="movingaverage", learn_scale=True))
(m(torch.randn(4, 3)) + m(torch.randn(4, 3))).sum().backward()
