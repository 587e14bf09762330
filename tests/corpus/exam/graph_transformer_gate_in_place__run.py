import torch
from graph_transformer_gate_in_place import *
d = Data(torch.randn(4, 4), torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), torch.randn(4, 4), torch.tensor([0, 0, 1, 1]))
GatedGCN()(d).sum().backward()
