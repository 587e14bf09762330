import math
import torch
from torch import nn
import torch.nn.functional as F


class LoRALayer:
    def __init__(self, r, alpha, merge_weights):
        self.r, self.alpha = r, alpha
        self.merged = False
        self.merge_weights = merge_weights


class LoRALinear(nn.Linear, LoRALayer):
    def __init__(self, i, o, r=2, alpha=1, merge_weights=True, **kw):
        nn.Linear.__init__(self, i, o, **kw)
        LoRALayer.__init__(self, r, alpha, merge_weights)
        if r > 0:
            self.lora_A = nn.Parameter(torch.zeros(r, i))
            self.lora_B = nn.Parameter(torch.zeros(o, r))
            self.scaling = alpha / r
            self.weight.requires_grad = False
        self.reset_parameters()

    def reset_parameters(self):
        nn.Linear.reset_parameters(self)
        if hasattr(self, "lora_A"):
            nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))

    def train(self, mode=True):
        super().train(mode)
        if mode and self.merge_weights and self.merged:
            self.weight.data -= (self.lora_B @ self.lora_A) * self.scaling
            self.merged = False
        elif not mode and self.merge_weights and not self.merged:
            self.weight.data += (self.lora_B @ self.lora_A) * self.scaling
            self.merged = True
        return self

    def forward(self, x):
        y = F.linear(x, self.weight, self.bias)
        if self.r > 0 and not self.merged:
            y += (x @ self.lora_A.T @ self.lora_B.T) * self.scaling
        return y


class Adapter(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.down, self.up = nn.Linear(d, 2), nn.Linear(2, d)
        self.gate = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        g = torch.tanh(self.gate)
        h = self.up(F.relu(self.down(x), inplace=True))
        h = h * g
        g.sub_(0.1)
        x.add_(h)
        return x


class Block(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.fc, self.adapter = LoRALinear(d, d), Adapter(d)

    def forward(self, x):
        return self.adapter(F.relu(self.fc(x)))
