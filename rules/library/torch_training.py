"""torch.amp.GradScaler, learning-rate schedulers, averaged models."""

import copy

import torch


class GradScaler:
    def scale(self, outputs):
        if isinstance(outputs, (list, tuple)):
            return [self.scale(one) for one in outputs]
        return outputs * torch.ones_like(outputs)

    def unscale_(self, optimizer):
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(0.5)

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        return None

    def get_scale(self):
        return 1.0

    def is_enabled(self):
        return True

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        return None


class AveragedModel(torch.nn.Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @torch.no_grad()
    def update_parameters(self, model):
        for averaged, p in zip(self.module.parameters(), model.parameters()):
            averaged.lerp_(p.detach(), 0.1)
