"""OpenMMLab's modules: containers with an initialisation of their own, layers of plain PyTorch."""

import torch


class BaseModule(torch.nn.Module):
    def __init__(self, init_cfg=None):
        super().__init__()
        self.init_cfg = init_cfg

    def init_weights(self):
        return None


class Sequential(BaseModule, torch.nn.Sequential):
    def __init__(self, *args, init_cfg=None):
        torch.nn.Sequential.__init__(self, *args)


class ModuleList(BaseModule, torch.nn.ModuleList):
    def __init__(self, modules=None, init_cfg=None):
        torch.nn.ModuleList.__init__(self, modules)


class ModuleDict(BaseModule, torch.nn.ModuleDict):
    def __init__(self, modules=None, init_cfg=None):
        torch.nn.ModuleDict.__init__(self, modules)


class Linear(torch.nn.Linear):
    pass
