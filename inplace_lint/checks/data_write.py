"""IPA301: a saved tensor changes through `.data` or another alias with a counter of its own."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA301",
    name="data-write",
    summary="A saved tensor is changed through .data: no error, wrong gradients.",
    kind="silent",
    roles=frozenset({"", "result", "operand", "parameter", "buffer", "function"}),
    hows=frozenset({"data", ""}),
    message="{mutator} changes {name} past its version counter after {saver} saved it",
    anonymous="a tensor",
    legs={
        "saved": "{saver} saves it for backward",
        "mutated": "this write is not counted: PyTorch cannot notice it",
        "used": "backward reads the changed value: wrong gradients, no error",
    },
    help="write under `with torch.no_grad():` to the tensor itself after backward(), or to a clone",
    page=Page(
        what="""\
`x.data`, `nn.Parameter(x.data)`, `p.data = v`, `copy.copy(x)` and `unsafe_split` give the same
memory with another version counter. This check reports a write through one of them to a tensor
that an op saved, before the backward that needs it.""",
        why="""\
Nothing raises. backward() computes with the changed values and returns wrong gradients;
training gets worse and nobody knows why.""",
        bad="""\
import torch

x = torch.ones(3, requires_grad=True)
y = x.exp()
y.data.mul_(0)
y.sum().backward()
""",
        good="""\
import torch

x = torch.ones(3, requires_grad=True)
y = x.exp()
shown = y.detach() * 0
y.sum().backward()
""",
        instead="""\
Never write through `.data`. `with torch.no_grad(): p.mul_(0)` does the same and is counted, so
that PyTorch raises where it matters; `x.detach().clone()` gives a copy to play with.""",
    ),
)
