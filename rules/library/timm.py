"""timm.layers: the blocks that other code is built of."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    if drop_prob == 0.0 or not training:
        return x
    mask = torch.rand_like(x)
    return x * mask


class DropPath(nn.Module):
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training)


def swish(x, inplace=False):
    return x.mul_(x.sigmoid()) if inplace else x.mul(x.sigmoid())


def hard_swish(x, inplace=False):
    inner = F.relu6(x + 3.0).div_(6.0)
    return x.mul_(inner) if inplace else x.mul(inner)


def hard_sigmoid(x, inplace=False):
    return F.relu6(x + 3.0) / 6.0


class Swish(nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return swish(x, self.inplace)


ACT_LAYERS = {
    "celu": nn.CELU,
    "elu": nn.ELU,
    "gelu": nn.GELU,
    "hard_sigmoid": nn.Hardsigmoid,
    "hard_swish": nn.Hardswish,
    "leaky_relu": nn.LeakyReLU,
    "mish": nn.Mish,
    "prelu": nn.PReLU,
    "relu": nn.ReLU,
    "relu6": nn.ReLU6,
    "selu": nn.SELU,
    "sigmoid": nn.Sigmoid,
    "silu": nn.SiLU,
    "swish": nn.SiLU,
    "tanh": nn.Tanh,
}


def get_act_layer(name="relu"):
    return ACT_LAYERS[name] if isinstance(name, str) else name


def create_act_layer(name, inplace=None, **kwargs):
    layer = get_act_layer(name)
    if layer is None:
        return None
    return layer(**kwargs) if inplace is None else layer(inplace=inplace, **kwargs)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    return nn.init.trunc_normal_(tensor, mean, std, a, b)


def lecun_normal_(tensor):
    return nn.init.normal_(tensor)


def to_2tuple(x):
    return x if isinstance(x, (list, tuple)) else (x, x)


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False, **kwargs):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Mlp(nn.Module):
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
    ):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drop)
        self.fc2 = nn.Linear(hidden_features, out_features)
        self.drop2 = nn.Dropout(drop)

    def forward(self, x):
        x = self.drop1(self.act(self.fc1(x)))
        return self.drop2(self.fc2(x))


class BatchNormAct2d(nn.BatchNorm2d):
    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        apply_act=True,
        act_layer=nn.ReLU,
        inplace=True,
        **kwargs,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
        self.act = create_act_layer(act_layer, inplace=inplace) if apply_act else nn.Identity()

    def forward(self, x):
        return self.act(super().forward(x))


class ConvNormAct(nn.Module):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=1,
        stride=1,
        apply_norm=True,
        apply_act=True,
        act_layer=nn.ReLU,
        bias=False,
        **kwargs,
    ):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride, bias=bias)
        self.bn = BatchNormAct2d(out_channels, apply_act=apply_act, act_layer=act_layer)

    def forward(self, x):
        return self.bn(self.conv(x))


ConvBnAct = ConvNormAct
ConvNormActAa = ConvNormAct


class SqueezeExcite(nn.Module):
    def __init__(self, channels, rd_ratio=0.0625, act_layer=nn.ReLU, **kwargs):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels, kernel_size=1)
        self.act = create_act_layer(act_layer, inplace=True)
        self.fc2 = nn.Conv2d(channels, channels, kernel_size=1)

    def forward(self, x):
        x_se = x.mean((2, 3), keepdim=True)
        x_se = self.fc2(self.act(self.fc1(x_se)))
        return x * x_se.sigmoid()


SEModule = SqueezeExcite


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class PatchEmbed(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768, **kwargs):
        super().__init__()
        self.proj = nn.Conv2d(in_chans, embed_dim, patch_size, patch_size)
        self.num_patches = 196

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class ModelEma:
    def __init__(self, model, decay=0.9999, **kwargs):
        self.ema = copy.deepcopy(model)
        self.module = self.ema

    @torch.no_grad()
    def update(self, model):
        for averaged, p in zip(self.ema.parameters(), model.parameters()):
            averaged.lerp_(p.detach(), 0.1)


ModelEmaV2 = ModelEma
ModelEmaV3 = ModelEma
