import torch
import torch.nn as nn


def raw2outputs(raw, z_vals, rays_d):
    """Volume rendering, as in the NeRF paper."""
    dists = z_vals[..., 1:] - z_vals[..., :-1]
    dists = torch.cat([dists, torch.full_like(dists[..., :1], 1e10)], -1)
    dists *= torch.norm(rays_d[..., None, :], dim=-1)
    rgb = torch.sigmoid(raw[..., :3])
    alpha = 1.0 - torch.exp(-torch.relu(raw[..., 3]) * dists)
    trans = torch.cumprod(1.0 - alpha + 1e-10, dim=-1)
    trans = torch.roll(trans, 1, dims=-1)
    trans[..., 0] = 1.0
    weights = alpha * trans
    weights[..., -1] = 0.0
    rgb_map = torch.sum(weights[..., None] * rgb, -2)
    depth = torch.sum(weights * z_vals, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    return rgb_map, depth, weights


class TinyNeRF(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, o, d, z):
        pts = o[:, None, :] + d[:, None, :] * z[..., None]
        return self.net(pts)


def train(steps=3):
    model = TinyNeRF()
    optim = torch.optim.Adam(model.parameters(), lr=5e-4)
    for step in range(steps):
        o, d = torch.randn(16, 3), torch.randn(16, 3)
        z = torch.linspace(2.0, 6.0, 8).expand(16, 8)
        target = torch.rand(16, 3)
        rgb, depth, w = raw2outputs(model(o, d, z), z, d)
        loss = ((rgb - target) ** 2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()


if __name__ == "__main__":
    train()
