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
        self.scale = alpha / r
        self.merged = False

    def merge(self):
        if not self.merged:
            self.base.weight.data += self.scale * (self.B @ self.A)
            self.merged = True

    def unmerge(self):
        if self.merged:
            self.base.weight.data -= self.scale * (self.B @ self.A)
            self.merged = False

    def forward(self, x):
        if self.merged:
            return self.base(x)
        return self.base(x) + self.scale * (x @ self.A.T @ self.B.T)


model = nn.Sequential(LoRALinear(nn.Linear(6, 6)), nn.ReLU(), LoRALinear(nn.Linear(6, 2)))
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
for _ in range(3):
    loss = model(torch.randn(4, 6)).pow(2).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
for m in model.modules():
    if isinstance(m, LoRALinear):
        m.merge()
model.eval()
with torch.no_grad():
    model(torch.randn(4, 6))
