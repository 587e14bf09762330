import torch
from tracker_memory_module_update import *
m = TGN()
ev = [(torch.tensor([0, 1]), torch.tensor([2, 3]), torch.randn(2, 3), torch.ones(2)) for _ in range(3)]
run_epoch(m, torch.optim.SGD(m.parameters(), lr=0.1), ev)
