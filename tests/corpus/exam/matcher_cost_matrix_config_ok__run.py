import torch
from matcher_cost_matrix_config_ok import build_head
h = build_head({"dim": 8, "act": "silu"})
o = h([torch.randn(2, 3, 8) for _ in range(2)], torch.tensor([[3., 4.], [5., 6.]]))
(o["boxes"].sum() + o["logits"].sum() + sum(a["boxes"].sum() for a in o["aux"])).backward()
