import torch


class KalmanFilter(torch.nn.Module):
    def __init__(self, n=2, m=1):
        super().__init__()
        self.F = torch.nn.Parameter(torch.eye(n))
        self.H = torch.nn.Parameter(torch.ones(m, n))
        self.log_q = torch.nn.Parameter(torch.zeros(n))
        self.log_r = torch.nn.Parameter(torch.zeros(m))

    def predict(self, x, P):
        x = x @ self.F.T
        P = self.F @ P @ self.F.T
        P.diagonal().add_(self.log_q.exp())
        return x, P

    def update(self, x, P, z):
        S = self.H @ P @ self.H.T + torch.diag(self.log_r.exp())
        K = P @ self.H.T @ torch.linalg.inv(S)
        x = x + (z - x @ self.H.T) @ K.T
        P = P - K @ self.H @ P
        return x, P

    def forward(self, zs):
        x, P = torch.zeros(1, 2), torch.eye(2)
        out = []
        for z in zs:
            x, P = self.predict(x, P)
            x, P = self.update(x, P, z)
            out.append(x)
        return torch.stack(out)
