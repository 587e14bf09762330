import torch
from torch import nn


class FeatureNoise:
    """Adds noise to what a layer outputs, for regularisation."""

    def __init__(self, std=0.1):
        self.std = std

    def __call__(self, module, inputs, output):
        output.add_(torch.randn_like(output), alpha=self.std)


def attach(model, names, std):
    handles = []
    for name, m in model.named_modules():
        if name in names:
            handles.append(m.register_forward_hook(FeatureNoise(std)))
    return handles


model = nn.Sequential()
model.add_module("fc1", nn.Linear(6, 8))
model.add_module("act1", nn.Softplus())
model.add_module("fc2", nn.Linear(8, 8))
model.add_module("act2", nn.Sigmoid())
model.add_module("out", nn.Linear(8, 1))
handles = attach(model, ["act1", "act2"], 0.05)
model(torch.randn(3, 6)).sum().backward()
