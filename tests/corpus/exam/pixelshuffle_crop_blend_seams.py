import torch
import torch.nn as nn


class TiledDecoder(nn.Module):
    """decode overlapping tiles and blend the seams (like tiled VAE)"""

    def __init__(self, c=3, tile=4, overlap=2):
        super().__init__()
        self.conv = nn.Conv2d(c, c, 3, padding=1)
        self.tile, self.overlap = tile, overlap

    def blend_h(self, a, b, extent):
        for x in range(extent):
            b[..., x] = a[..., -extent + x] * (1 - x / extent) + b[..., x] * (x / extent)
        return b

    def forward(self, z):
        step = self.tile - self.overlap
        tiles = [torch.sigmoid(self.conv(z[..., i:i + self.tile])) for i in range(0, z.size(-1) - self.overlap, step)]
        out = []
        for i, t in enumerate(tiles):
            if i > 0:
                t = self.blend_h(tiles[i - 1], t, self.overlap)
            out.append(t[..., :step])
        return torch.cat(out, -1)
