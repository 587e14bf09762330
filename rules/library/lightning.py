"""LightningModule: what manual optimisation calls."""

import torch


class LightningModule(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.automatic_optimization = True
        self.current_epoch = 1
        self.global_step = 1
        self._optimizers = None

    def manual_backward(self, loss, *args, **kwargs):
        loss.backward(*args, **kwargs)

    def optimizers(self, use_pl_optimizer=True):
        if self._optimizers is None:
            self._optimizers = _optimizers_of(self.configure_optimizers())
        found = self._optimizers
        return found[0] if len(found) == 1 else found

    def toggle_optimizer(self, optimizer, optimizer_idx=None):
        return None

    def untoggle_optimizer(self, optimizer):
        return None

    def clip_gradients(self, optimizer, *args, **kwargs):
        return None

    def log(self, *args, **kwargs):
        return None

    def log_dict(self, *args, **kwargs):
        return None

    def print(self, *args, **kwargs):
        return None

    def save_hyperparameters(self, *args, **kwargs):
        return None


def _optimizers_of(configured):
    if isinstance(configured, dict):
        return [configured["optimizer"]]
    if isinstance(configured, tuple) and len(configured) == 2:
        if isinstance(configured[0], (list, tuple)):
            return list(configured[0])
    if isinstance(configured, (list, tuple)):
        return [one["optimizer"] if isinstance(one, dict) else one for one in configured]
    return [configured]
