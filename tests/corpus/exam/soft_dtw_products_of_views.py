import torch


def smooth_path(D, w):
    n, m = D.shape
    R = torch.ones(n + 1, m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            R[i, j] = D[i - 1, j - 1] * R[i - 1, j] + w * R[i, j - 1] * R[i - 1, j - 1]
    return R[n, m]


x = torch.randn(3, 2, requires_grad=True)
w = torch.tensor(0.5, requires_grad=True)
D = torch.cdist(x, torch.randn(4, 2))
smooth_path(D, w).backward()
