import torch
from torch import nn

HEADS = {}


def register(name):
    def wrap(cls):
        HEADS[name] = cls
        return cls
    return wrap


class BaseHead(nn.Module):
    def __init__(self, c, **kw):
        super().__init__()
        self.c = c
        self._init_layers(**kw)

    def _init_layers(self, **kw):
        raise NotImplementedError

    def forward(self, feats):
        return tuple(map(list, zip(*[self.forward_single(f) for f in feats])))


@register("fcos")
class FCOSHead(BaseHead):
    def _init_layers(self, num_classes=3, stacked=1):
        self.tower = nn.Sequential(*[m for _ in range(stacked) for m in (
            nn.Conv2d(self.c, self.c, 3, padding=1), nn.GroupNorm(2, self.c), nn.ReLU(inplace=True))])
        self.cls = nn.Conv2d(self.c, num_classes, 1)
        self.reg = nn.Conv2d(self.c, 4, 1)
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward_single(self, x):
        t = self.tower(x)
        bbox = self.scale * self.reg(t)
        bbox *= 8
        bbox.clamp_(max=4)
        return self.cls(t), bbox.exp()


def build_head(cfg):
    cfg = dict(cfg)
    return HEADS[cfg.pop("type")](**cfg)


def train_step(model, feats):
    cls, reg = model(feats)
    loss = sum(c.sigmoid().mean() for c in cls) + sum(r.mean() for r in reg)
    return {"loss": loss}


head = build_head(dict(type="fcos", c=4, num_classes=2))
out = train_step(head, [torch.randn(1, 4, s, s) for s in (4, 2)])
out["loss"].backward()
