import torch
from torch import nn
from graph_kept_in_running_loss import run
m = nn.Linear(4, 2)
task = [(torch.randn(3, 4), torch.randint(0, 2, (3,))) for _ in range(2)]
run(m, torch.optim.SGD(m.parameters(), 0.1), [task, task])
