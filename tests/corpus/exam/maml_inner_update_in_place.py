import torch
import torch.nn.functional as F
from torch import nn


def net(x, params):
    w1, b1, w2, b2 = params
    return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


def init_params(hidden=20):
    shapes = [(hidden, 1), (hidden,), (1, hidden), (1,)]
    return [nn.Parameter(torch.randn(*s) * 0.1) for s in shapes]


def inner_loop(params, x, y, lr, steps):
    fast = [p.clone() for p in params]
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        for w, g in zip(fast, grads):
            w -= lr * g
    return fast


def meta_train(n_iter=2, n_tasks=2):
    params = init_params()
    meta_opt = torch.optim.Adam(params, lr=1e-3)
    for it in range(n_iter):
        meta_loss = 0.0
        for _ in range(n_tasks):
            xs, xq = torch.randn(10, 1), torch.randn(10, 1)
            fast = inner_loop(params, xs, xs.sin(), 0.01, 2)
            meta_loss = meta_loss + F.mse_loss(net(xq, fast), xq.sin())
        meta_opt.zero_grad()
        meta_loss.backward()
        meta_opt.step()


meta_train()
