import torch


def soft_min(a, b, c, gamma):
    z = torch.stack([-a / gamma, -b / gamma, -c / gamma])
    return -gamma * torch.logsumexp(z, 0)


def soft_dtw(D, gamma=1.0):
    n, m = D.shape
    R = torch.full((n + 1, m + 1), 1e8)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            r = soft_min(R[i - 1, j - 1], R[i - 1, j], R[i, j - 1], gamma)
            R[i, j] = D[i - 1, j - 1] + r
    return R[n, m]


x = torch.randn(3, 2, requires_grad=True)
y = torch.randn(4, 2)
D = torch.cdist(x, y) ** 2
soft_dtw(D).backward()
