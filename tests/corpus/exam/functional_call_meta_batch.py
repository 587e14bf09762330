import torch
from torch import nn
from torch.func import functional_call, grad, vmap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 16)
        self.b = nn.Linear(16, 1)

    def forward(self, x):
        return self.b(torch.sin(self.a(x)))


def task_loss(model, params, x, y):
    return ((functional_call(model, params, (x,)) - y) ** 2).mean()


def adapt(model, params, x, y, lr=0.1):
    loss = task_loss(model, params, x, y)
    grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
    return {k: p - lr * g for (k, p), g in zip(params.items(), grads)}


net = Net()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for it in range(2):
    params = dict(net.named_parameters())
    outer = []
    for _ in range(2):
        xs, xq = torch.randn(5, 1), torch.randn(5, 1)
        fast = adapt(net, params, xs, xs.sin())
        outer.append(task_loss(net, fast, xq, xq.sin()))
    total = torch.stack(outer).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
