"""IPA404: a tensor kept as an attribute of ctx changes before backward reads it."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA404",
    name="tensor-kept-on-ctx",
    summary="A tensor kept as an attribute of ctx is changed before backward reads it.",
    kind="silent",
    roles=frozenset({"ctx"}),
    message="{name} is changed in place after a Function kept it as an attribute of ctx",
    anonymous="a tensor",
    legs={
        "saved": "kept on ctx: no version is remembered",
        "used": "backward reads the changed value: wrong gradients, no error",
    },
    help="keep it with `ctx.save_for_backward(...)`, so that PyTorch notices the write",
    page=Page(
        what="""\
`ctx.x = x` in forward() of a custom autograd.Function keeps a tensor without its version;
`ctx.save_for_backward(x)` keeps both. This check reports a write to a tensor kept in the first
way, before backward() reads it.""",
        why="Nothing raises; backward() computes with the changed values.",
        bad="""\
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.x * grad


w = torch.ones(3, requires_grad=True)
h = w * 1
y = Square.apply(h)
h.zero_()
y.sum().backward()
""",
        good="""\
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


w = torch.ones(3, requires_grad=True)
h = w * 1
y = Square.apply(h)
h = torch.zeros_like(h)
y.sum().backward()
""",
        instead="""\
Use `ctx.save_for_backward` for every tensor, and do not write to what a graph still needs.""",
    ),
)
