import torch
from torch import nn
from networks_and_optimizers_in_dicts_ok import Trainer
nets = {"encoder": nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4)), "classifier": nn.Linear(4, 2), "domain": nn.Linear(4, 2)}
optims = {k: torch.optim.SGD(n.parameters(), 0.1) for k, n in nets.items()}
t = Trainer(nets, optims, {"cls": nn.CrossEntropyLoss(), "dom": nn.CrossEntropyLoss()})
for _ in range(2):
    t.run_batch(torch.randn(4, 3), torch.randint(0, 2, (4,)))
