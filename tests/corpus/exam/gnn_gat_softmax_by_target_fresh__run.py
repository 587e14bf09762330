import torch
from gnn_gat_softmax_by_target_fresh import GATLayer

m = GATLayer(4, 3)
ei = torch.tensor([[0, 1, 2, 3], [1, 2, 2, 0]])
m(torch.randn(4, 4), ei).sum().backward()
