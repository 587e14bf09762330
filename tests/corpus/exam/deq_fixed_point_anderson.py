import torch
from torch import nn


def anderson(f, x0, m=3, lam=1e-4, max_iter=4, beta=1.0):
    bsz, d = x0.shape
    X = torch.zeros(bsz, m, d)
    Fx = torch.zeros(bsz, m, d)
    X[:, 0], Fx[:, 0] = x0, f(x0)
    X[:, 1], Fx[:, 1] = Fx[:, 0], f(Fx[:, 0])
    H = torch.zeros(bsz, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = torch.zeros(bsz, m + 1, 1)
    y[:, 0] = 1
    for k in range(2, max_iter):
        n = min(k, m)
        G = Fx[:, :n] - X[:, :n]
        H[:, 1:n + 1, 1:n + 1] = torch.bmm(G, G.transpose(1, 2)) + lam * torch.eye(n)[None]
        alpha = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        X[:, k % m] = beta * (alpha[:, None] @ Fx[:, :n])[:, 0] + (1 - beta) * (alpha[:, None] @ X[:, :n])[:, 0]
        Fx[:, k % m] = f(X[:, k % m])
    return X[:, k % m]


class DEQ(nn.Module):
    def __init__(self, d=4, phantom=True):
        super().__init__()
        self.w, self.u = nn.Linear(d, d), nn.Linear(d, d)
        self.phantom = phantom

    def cell(self, z, x):
        return torch.tanh(self.w(z) + self.u(x))

    def forward(self, x):
        with torch.no_grad():
            z = anderson(lambda z: self.cell(z, x), torch.zeros_like(x))
        if self.phantom:
            z = self.cell(z, x)
        return z


net = DEQ()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(2, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
