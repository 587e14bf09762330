import torch
import torch.nn as nn
import torch.nn.functional as F
from abc import abstractmethod


def weight_reduce(loss, weight=None, reduction="mean", avg_factor=None):
    if weight is not None:
        assert weight.dim() == loss.dim()
        loss = loss * weight
    if avg_factor is None:
        return getattr(loss, reduction)() if reduction != "none" else loss
    return loss.sum() / (avg_factor + torch.finfo(torch.float32).eps)


class BaseDecodeHead(nn.Module):
    def __init__(self, in_channels, channels, num_classes, dropout_ratio=0.1, sampler=None, ignore_index=255,
                 align_corners=False, act_cfg=dict(type="ReLU")):
        super().__init__()
        self.ignore_index = ignore_index
        self.align_corners = align_corners
        self.act_cfg = act_cfg
        self.sampler = sampler
        self.conv_seg = nn.Conv2d(channels, num_classes, kernel_size=1)
        self.dropout = nn.Dropout2d(dropout_ratio) if dropout_ratio > 0 else None

    @abstractmethod
    def forward(self, inputs):
        pass

    def cls_seg(self, feat):
        if self.dropout is not None:
            feat = self.dropout(feat)
        return self.conv_seg(feat)

    def losses(self, seg_logit, seg_label):
        seg_logit = F.interpolate(seg_logit, seg_label.shape[-2:], mode="bilinear", align_corners=self.align_corners)
        seg_weight = self.sampler.sample(seg_logit, seg_label) if self.sampler is not None else None
        loss = F.cross_entropy(seg_logit, seg_label, reduction="none", ignore_index=self.ignore_index)
        return dict(loss_ce=weight_reduce(loss, seg_weight))


class OHEMPixelSampler:
    def __init__(self, thresh=0.7, min_kept=10, ignore_index=255):
        self.thresh, self.min_kept, self.ignore_index = thresh, min_kept, ignore_index

    def sample(self, seg_logit, seg_label):
        with torch.no_grad():
            prob = F.softmax(seg_logit, dim=1)
            lab = seg_label.clone()
            lab[lab == self.ignore_index] = 0
            p = prob.gather(1, lab[:, None]).squeeze(1)
            w = torch.zeros_like(p)
            w[p < self.thresh] = 1.0
        return w


class PPM(nn.ModuleList):
    def __init__(self, scales, cin, c):
        super().__init__()
        for s in scales:
            self.append(nn.Sequential(nn.AdaptiveAvgPool2d(s), nn.Conv2d(cin, c, 1), nn.ReLU(inplace=True)))

    def forward(self, x):
        return [F.interpolate(ppm(x), x.shape[2:], mode="bilinear") for ppm in self]


class PSPHead(BaseDecodeHead):
    def __init__(self, pool_scales=(1, 2), **kw):
        super().__init__(**kw)
        self.psp = PPM(pool_scales, kw["in_channels"], kw["channels"])
        self.bottleneck = nn.Sequential(
            nn.Conv2d(kw["in_channels"] + len(pool_scales) * kw["channels"], kw["channels"], 3, padding=1),
            nn.BatchNorm2d(kw["channels"]), nn.ReLU(inplace=True))
        self.gate = nn.Conv2d(kw["channels"], kw["channels"], 1)

    def _attention(self, feat):
        att = torch.softmax(self.gate(feat).flatten(2), -1).view_as(feat)
        att /= att.amax((2, 3), keepdim=True)
        return att

    def forward(self, inputs):
        outs = [inputs] + self.psp(inputs)
        feat = self.bottleneck(torch.cat(outs, 1))
        feat *= self._attention(feat)
        return self.cls_seg(feat)
