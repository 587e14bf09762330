import torch
from torch import nn


class Callback:
    def on_forward_end(self, trainer): ...
    def on_backward_end(self, trainer): ...
    def on_step_end(self, trainer): ...


class WeightQuant(Callback):
    def __init__(self, bits=4):
        self.q = 2 ** bits

    def on_step_end(self, trainer):
        for m in trainer.model.modules():
            if isinstance(m, nn.Linear):
                w = m.weight.detach()
                w.mul_(self.q).round_().div_(self.q)


class Trainer:
    def __init__(self, model, callbacks=(), lr=0.1):
        self.model, self.callbacks = model, list(callbacks)
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, f"on_{event}")(self)

    def step(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        self.emit("forward_end")
        self.opt.zero_grad()
        loss.backward()
        self.emit("backward_end")
        self.opt.step()
        self.emit("step_end")


t = Trainer(nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1)), [WeightQuant()])
for _ in range(2):
    t.step(torch.randn(4, 3), torch.randn(4, 1))
