import torch
from torch import nn


class ATan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, alpha=2.0):
        ctx.save_for_backward(v)
        ctx.alpha = alpha
        return (v > 0).float()

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g / (1 + (torch.pi / 2 * ctx.alpha * v).pow_(2)) * ctx.alpha / 2, None


class MemoryModule(nn.Module):
    def __init__(self):
        super().__init__()
        self._memories, self._rv = {}, {}

    def register_memory(self, name, value):
        self._memories[name] = value
        self._rv[name] = value

    def reset(self):
        for k in self._memories:
            self._memories[k] = self._rv[k]

    def __getattr__(self, name):
        if "_memories" in self.__dict__ and name in self.__dict__["_memories"]:
            return self.__dict__["_memories"][name]
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        mem = self.__dict__.get("_memories")
        if mem is not None and name in mem:
            mem[name] = value
        else:
            super().__setattr__(name, value)


class LIF(MemoryModule):
    def __init__(self, tau=2.0, v_th=1.0, detach_reset=True):
        super().__init__()
        self.tau, self.v_th, self.detach_reset = tau, v_th, detach_reset
        self.register_memory("v", 0.0)

    def forward(self, x):
        if isinstance(self.v, float):
            self.v = torch.zeros_like(x)
        self.v = self.v + (x - self.v) / self.tau
        spike = ATan.apply(self.v - self.v_th)
        s = spike.detach() if self.detach_reset else spike
        self.v *= 1 - s
        return spike


class SNN(nn.Module):
    def __init__(self, T=3):
        super().__init__()
        self.T = T
        self.fc1, self.l1, self.fc2 = nn.Linear(4, 6), LIF(), nn.Linear(6, 2)

    def forward(self, x):
        out = 0
        for t in range(self.T):
            out = out + self.fc2(self.l1(self.fc1(x)))
        return out / self.T


def reset(net):
    for m in net.modules():
        if hasattr(m, "reset"):
            m.reset()


net = SNN()
opt = torch.optim.Adam(net.parameters())
for i in range(2):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.randn(3, 4)), torch.tensor([0, 1, 0]))
    loss.backward()
    opt.step()
