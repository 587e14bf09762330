"""Rows of the table whose example is no call on tensors: optimizers, aliases, hooks, gradients.

    p = torch.rand(2, 3, requires_grad=True)
    q = p.detach().clone().requires_grad_()
    s = p * p
    (s + q).sum().backward(retain_graph=True)
    opt = optim.SGD([p], lr=0.1)
    opt.step()
    s.sum().backward()

Each row has statements over `P`. In the program that breaks, if these change anything, `P` is the
tensor that the product saved; in the other one it is its copy.
"""

from __future__ import annotations

PRELUDE = """\
import copy
import torch
from torch import nn
from torch import optim
from torch.nn import utils

torch.manual_seed(0)
"""

BODY = """\
p = torch.rand(2, 3, requires_grad=True)
q = p.detach().clone().requires_grad_()
s = p * p
(s + q).sum().backward(retain_graph=True)
t = p.grad * p
{}
(s + t).sum().backward()
"""

STEP = "opt = {}\nopt.step()"

ROWS = {
    **{
        f"optim.{name}": STEP.format(f"optim.{name}([P], lr=0.1)")
        for name in (
            "ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax Muon NAdam RAdam RMSprop Rprop SGD"
        ).split()
    },
    "optim.LBFGS": (
        "def closure():\n"
        "    loss = (P * 2).exp().sum()\n"
        "    loss.backward()\n"
        "    return loss\n"
        "opt = optim.LBFGS([P], lr=0.1, max_iter=1)\n"
        "opt.step(closure)"
    ),
    "optim.SparseAdam": "P.grad = P.grad.to_sparse()\nopt = optim.SparseAdam([P])\nopt.step()",
    "py:Tensor.__array__": "P.detach().__array__()[0] = 2",
    "py:Tensor.__deepcopy__": "P.__deepcopy__({}).data.add_(1)",
    "py:Tensor.__dlpack__": "torch.from_dlpack(P.detach()).add_(1)",
    "py:Tensor.apply_": "P.detach().apply_(lambda value: value + 1)",
    "py:Tensor.backward": "P.sum().backward()",
    "py:Tensor.data": "P.data.add_(1)",
    "py:Tensor.grad": "P.grad.mul_(2)",
    "py:Tensor.grad_fn": "P.grad_fn",
    "py:Tensor.map2_": "P.detach().map2_(P.detach(), P.detach(), lambda a, b, c: a + 1)",
    "py:Tensor.map_": "P.detach().map_(P.detach(), lambda a, b: a + 1)",
    "py:Tensor.name": "P.name",
    "py:Tensor.numpy": "P.detach().numpy()[0] = 2",
    "py:Tensor.register_hook": "P.register_hook(lambda grad: grad * 2)",
    "py:Tensor.register_post_accumulate_grad_hook": (
        "def hook(leaf):\n"
        "    P.detach().add_(1)\n"
        "P.register_post_accumulate_grad_hook(hook)\n"
        "(P * 2).sum().backward()"
    ),
    "py:Tensor.retain_grad": "P.retain_grad()",
    "py:Tensor.set_": "P.detach().set_(torch.zeros(2, 3))",
    "py:copy.copy": "copy.copy(P.detach()).add_(1)",
    "py:copy.deepcopy": "copy.deepcopy(P).detach().add_(1)",
    "py:nn.Buffer": "nn.Buffer(P).add_(1)",
    "py:torch.from_dlpack": "torch.from_dlpack(P.detach()).mul_(2)",
    "py:torch.from_numpy": "torch.from_numpy(P.detach().numpy()).add_(1)",
    "utils.clip_grad_norm_": "utils.clip_grad_norm_([P], 0.1)",
    "utils.clip_grad_value_": "utils.clip_grad_value_([P], 0.1)",
    "utils.clip_grads_with_norm_": "utils.clip_grads_with_norm_([P], 0.1, torch.tensor(2.0))",
    "utils.vector_to_parameters": "utils.vector_to_parameters(torch.zeros(6), [P])",
}
"""Statements by the row that they try."""

LEFT_OUT = {
    r"nn\.RReLU": "PyTorch writes its noise after it was saved: every program looks silent",
    r"nn\.Lazy.*": "after the first call it is the plain module",
    r"py:torch\.lobpcg": "it returns pieces of what its own Function saved",
    r"py:Tensor\.(__array_wrap__|__setstate__|module_load)": "called by libraries alone",
    r"py:Tensor\.cuda": "needs the device",
    r"py:Tensor\.(__dlpack_device__|storage|storage_type)": "gives no tensor",
    r"py:torch\.(is_storage|is_vulkan_available|sym_.*)": "gives no tensor",
}
"""Rows that no program tries, by patterns of their ids, and why.

So are those of sparse tensors and of devices that are not here.
"""


def side(number: int) -> str:
    """Of every row a program that breaks (even numbers), if any can, and one that does not."""
    statements = list(ROWS.values())[number // 2 % len(ROWS)]
    return PRELUDE + BODY.format(statements.replace("P", "q" if number % 2 else "p"))
