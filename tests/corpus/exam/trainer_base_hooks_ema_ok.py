import abc
import copy
import time
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import nn


class Callback:
    def on_forward_end(self, trainer): ...
    def on_backward_end(self, trainer): ...
    def on_step_end(self, trainer): ...


class EMACallback(Callback):
    def __init__(self, decay=0.999, warmup=0):
        self.decay = decay
        self.warmup = warmup
        self.shadow = None

    def _init(self, model):
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def on_step_end(self, trainer):
        if self.shadow is None:
            self._init(trainer.model)
        for k, v in trainer.model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)

    @contextmanager
    def swap(self, model):
        backup = copy.deepcopy(model.state_dict())
        model.load_state_dict(self.shadow)
        try:
            yield
        finally:
            model.load_state_dict(backup)


class WeightConstraint(Callback):
    """Keep rows of chosen matrices on the unit ball."""

    def __init__(self, pattern="weight", max_norm=1.0):
        self.pattern, self.max_norm = pattern, max_norm

    @torch.no_grad()
    def on_step_end(self, trainer):
        for name, p in trainer.model.named_parameters():
            if p.dim() > 1 and self.pattern in name:
                p.copy_(torch.renorm(p, 2, 0, self.max_norm))


class Trainer(abc.ABC):
    def __init__(self, model: nn.Module, callbacks=(), lr=0.1, out_dir="runs"):
        self.model = model
        self.callbacks = list(callbacks) + [EMACallback(), WeightConstraint()]
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.out_dir = Path(out_dir)
        self.step = 0

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, f"on_{event}")(self)

    @abc.abstractmethod
    def compute_loss(self, batch): ...

    def fit(self, loader, epochs=1):
        t0 = time.time()
        for epoch in range(epochs):
            for batch in loader:
                self.loss = self.compute_loss(batch)
                self.fire("forward_end")
                self.optimizer.zero_grad(set_to_none=True)
                self.loss.backward()
                self.fire("backward_end")
                self.optimizer.step()
                self.fire("step_end")
                self.step += 1
        return time.time() - t0


class RegressionTrainer(Trainer):
    def compute_loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.model(x), y)
