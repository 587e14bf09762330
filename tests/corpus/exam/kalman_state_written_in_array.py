import torch
from torch import nn


class DifferentiableKalman(nn.Module):
    """Linear Kalman filter whose noise covariances are learned."""

    def __init__(self, n=2, m=1):
        super().__init__()
        self.n, self.m = n, m
        self.log_q = nn.Parameter(torch.zeros(n))
        self.log_r = nn.Parameter(torch.zeros(m))
        self.register_buffer("F", torch.tensor([[1.0, 0.1], [0.0, 1.0]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))

    def predict(self, x, P):
        Q = torch.diag(self.log_q.exp())
        return self.F @ x, self.F @ P @ self.F.T + Q

    def correct(self, x, P, z):
        R = torch.diag(self.log_r.exp())
        S = self.H @ P @ self.H.T + R
        K = P @ self.H.T @ torch.linalg.inv(S)
        x = x + K @ (z - self.H @ x)
        return x, (torch.eye(self.n) - K @ self.H) @ P

    def forward(self, zs):
        T = zs.shape[0]
        xs = torch.zeros(T + 1, self.n)
        Ps = torch.eye(self.n).repeat(T + 1, 1, 1)
        for t in range(T):
            x, P = self.predict(xs[t], Ps[t])
            xs[t + 1], Ps[t + 1] = self.correct(x, P, zs[t])
        return xs[1:]


kf = DifferentiableKalman()
optimizer = torch.optim.SGD(kf.parameters(), lr=0.01)
zs = torch.randn(5, 1)
truth = torch.randn(5, 2)
for epoch in range(2):
    optimizer.zero_grad()
    loss = torch.mean((kf(zs) - truth) ** 2)
    loss.backward()
    optimizer.step()
