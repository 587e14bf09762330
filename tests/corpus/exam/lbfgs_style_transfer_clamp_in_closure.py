import torch
from torch import nn, optim
import torch.nn.functional as F


def gram(x):
    b, c, h, w = x.shape
    f = x.view(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)])
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        outs = []
        for c in self.convs:
            x = F.relu(c(x))
            outs.append(x)
        return outs


def run_style_transfer(cnn, content, style, num_steps=2):
    image = content.clone().requires_grad_(True)
    optimizer = optim.LBFGS([image], max_iter=2)
    with torch.no_grad():
        targets = [gram(f) for f in cnn(style)]
        content_t = cnn(content)[-1]
    run = [0]
    while run[0] <= num_steps:
        def closure():
            image.clamp_(0, 1)
            optimizer.zero_grad()
            feats = cnn(image)
            loss = sum(F.mse_loss(gram(f), t) for f, t in zip(feats, targets))
            loss = loss * 1e4 + F.mse_loss(feats[-1], content_t)
            loss.backward()
            run[0] += 1
            return loss
        optimizer.step(closure)
    return image


run_style_transfer(Features(), torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8))
