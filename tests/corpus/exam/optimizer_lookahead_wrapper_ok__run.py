import torch
from torch import nn
from optimizer_lookahead_wrapper_ok import Lookahead
m = nn.Linear(2, 1)
o = Lookahead(torch.optim.SGD(m.parameters(), lr=0.1), k=2)
for _ in range(4):
    o.zero_grad(); m(torch.randn(3, 2)).sum().backward(); o.step()
