import logging
from collections import OrderedDict
from functools import partial
from typing import Any, Dict, List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger(__name__)

__all__ = ["DeformableHead", "build_head"]

_NORMS = {"ln": nn.LayerNorm, "bn": nn.BatchNorm1d, "none": nn.Identity}
_ACTS = {
    "relu": partial(nn.ReLU, inplace=True),
    "silu": partial(nn.SiLU, inplace=True),
    "gelu": nn.GELU,
}


class ConvNormAct(nn.Sequential):
    def __init__(self, cin: int, cout: int, norm: str = "ln", act: Optional[str] = "relu"):
        layers: "OrderedDict[str, nn.Module]" = OrderedDict()
        layers["fc"] = nn.Linear(cin, cout)
        layers["norm"] = _NORMS[norm](cout)
        if act is not None:
            layers["act"] = _ACTS[act]()
        super().__init__(layers)


class DeformableHead(nn.Module):
    """Reference-point refinement head.

    Args:
        dim: channels of the queries.
        num_layers: number of refinement layers.
        share: whether layers share their weights.
    """

    def __init__(self, dim=8, num_layers=2, share=False, norm="ln", act="relu", box_dim=4, **kwargs):
        super().__init__()
        if kwargs:
            logger.warning("unused options: %s", sorted(kwargs))
        self.num_layers = num_layers
        self.box_dim = box_dim
        mk = lambda: nn.Sequential(ConvNormAct(dim, dim, norm, act), nn.Linear(dim, box_dim))
        if share:
            one = mk()
            self.bbox_embed = nn.ModuleList([one for _ in range(num_layers)])
        else:
            self.bbox_embed = nn.ModuleList([mk() for _ in range(num_layers)])
        self.cls_embed = nn.ModuleList([nn.Linear(dim, 3) for _ in range(num_layers)])
        self.ref = nn.Linear(dim, 2)
        self.reset_parameters()

    def reset_parameters(self):
        for b in self.bbox_embed:
            nn.init.constant_(b[-1].weight.data, 0)
            nn.init.constant_(b[-1].bias.data[2:], -2.0)

    @staticmethod
    def inverse_sigmoid(x, eps=1e-5):
        x = x.clamp(min=0, max=1)
        return torch.log(x.clamp(min=eps) / (1 - x).clamp(min=eps))

    def _decode(self, raw: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
        reference = self.inverse_sigmoid(ref)
        raw[..., :2] += reference
        box = raw.sigmoid()
        return box

    def _scale_to_image(self, box, sizes: Optional[torch.Tensor]):
        if sizes is None:
            return box
        h, w = sizes[:, None].unbind(-1)
        return box * torch.stack([w, h, w, h], -1)

    def forward(self, hs: List[torch.Tensor], sizes=None) -> Dict[str, Any]:
        ref = self.ref(hs[0]).sigmoid()
        out_cls, out_box = [], []
        for lvl, (cls, reg) in enumerate(zip(self.cls_embed, self.bbox_embed)):
            box = self._decode(reg(hs[lvl]), ref)
            ref = box[..., :2].detach()
            out_cls.append(cls(hs[lvl]))
            out_box.append(self._scale_to_image(box, sizes))
        aux = [{"logits": c, "boxes": b} for c, b in zip(out_cls[:-1], out_box[:-1])]
        return {"logits": out_cls[-1], "boxes": out_box[-1], "aux": aux}


def build_head(cfg: Dict[str, Any]) -> DeformableHead:
    cfg = dict(cfg)
    name = cfg.pop("name", "deformable")
    assert name == "deformable", name
    return DeformableHead(**cfg)
