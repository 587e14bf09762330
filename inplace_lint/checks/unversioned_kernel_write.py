"""IPA303: a kernel of PyTorch itself changes a saved tensor without counting."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA303",
    name="unversioned-kernel-write",
    summary="A PyTorch kernel changes a saved tensor without counting it: wrong gradients.",
    kind="silent",
    roles=frozenset({"", "result", "operand", "parameter", "buffer", "function"}),
    hows=frozenset({"kernel"}),
    message="{mutator} changes {name} without counting it after {saver} saved it",
    anonymous="a tensor",
    legs={
        "saved": "{saver} saves it for backward",
        "mutated": "this write is not counted: PyTorch cannot notice it",
        "used": "backward reads the changed value: wrong gradients, no error",
    },
    help="run the backward() that needs the old value first",
    page=Page(
        what="""\
A few kernels of PyTorch write without raising the version counter: the step of an optimizer
with `fused=True`, the running statistics of a batch norm in training mode, torch.kron's views.
This check reports one that changes what another op saved, before the backward that needs it.""",
        why="Nothing raises and the gradients are wrong.",
        bad="""\
import torch
from torch import nn

norm = nn.BatchNorm1d(2)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
norm.eval()
loss = (norm(x) ** 2).sum()
norm.train()
norm(torch.full((2, 2), 9.0) * torch.tensor([[1.0], [2.0]]))
loss.backward()
""",
        good="""\
import torch
from torch import nn

norm = nn.BatchNorm1d(2)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
norm.eval()
loss = (norm(x) ** 2).sum()
loss.backward()
norm.train()
norm(torch.full((2, 2), 9.0) * torch.tensor([[1.0], [2.0]]))
""",
        instead="""\
Finish the backward of the evaluation-mode forward before the next training-mode forward; call
step() after every backward() that needs the old weights.""",
    ),
)
