import torch
from torch import nn


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.params = list(model.parameters())
        self.shadow = [p.detach().clone() for p in self.params]
        self.backup = None

    def update(self):
        with torch.no_grad():
            torch._foreach_mul_(self.shadow, self.decay)
            torch._foreach_add_(self.shadow, [p.detach() for p in self.params], alpha=1 - self.decay)

    def apply(self):
        self.backup = [p.detach().clone() for p in self.params]
        with torch.no_grad():
            for p, s in zip(self.params, self.shadow):
                p.copy_(s)

    def restore(self):
        with torch.no_grad():
            for p, b in zip(self.params, self.backup):
                p.copy_(b)


model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
ema = EMA(model)
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    loss = nn.functional.huber_loss(model(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    ema.update()
    if step % 2 == 1:
        ema.apply()
        with torch.no_grad():
            val = model(x)
        ema.restore()
