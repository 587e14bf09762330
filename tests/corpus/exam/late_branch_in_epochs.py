import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.01)
WARMUP = 5
for epoch in range(8):
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    pred = model(x)
    loss = nn.functional.mse_loss(pred, y)
    if epoch > WARMUP:
        weights = torch.sigmoid(pred)
        weights /= weights.sum()
        loss = (weights * (pred - y) ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
