import torch
from torch import nn
import math


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 2, alpha: float = 4.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        nn.init.normal_(self.B)
        self.scale = alpha / r

    def merge(self):
        with torch.no_grad():
            self.base.weight += self.scale * (self.B @ self.A)

    def unmerge(self):
        with torch.no_grad():
            self.base.weight -= self.scale * (self.B @ self.A)

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A.T @ self.B.T)


first, head = LoRALinear(nn.Linear(6, 6)), LoRALinear(nn.Linear(6, 2))
opt = torch.optim.AdamW([p for m in (first, head) for p in m.parameters() if p.requires_grad], lr=1e-3)
for _ in range(3):
    x = torch.randn(4, 6)
    loss = head(torch.relu(first(x))).pow(2).mean()
    # sanity check: the merged base must give the same output
    head.merge()
    with torch.no_grad():
        check = head.base(torch.relu(first(x)))
    head.unmerge()
    loss.backward()
    opt.step()
    opt.zero_grad()
