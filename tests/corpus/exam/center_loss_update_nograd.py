import torch
import torch.nn as nn


class CenterLoss(nn.Module):
    def __init__(self, num_classes, feat_dim, alpha=0.5):
        super().__init__()
        self.centers = torch.randn(num_classes, feat_dim)
        self.alpha = alpha

    def forward(self, feat, label):
        batch = feat.size(0)
        c = self.centers[label]
        diff = feat - c
        loss = diff.pow(2).sum() / 2 / batch
        self.update(feat, label)
        return loss

    @torch.no_grad()
    def update(self, feat, label):
        diff = self.centers[label] - feat
        uniq, cnt = label.unique(return_counts=True)
        delta = torch.zeros_like(self.centers)
        delta.index_add_(0, label, diff)
        self.centers.sub_(self.alpha * delta)


net = nn.Linear(4, 2)
cl = CenterLoss(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
    loss = cl(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
