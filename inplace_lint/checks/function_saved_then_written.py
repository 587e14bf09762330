"""IPA401: a custom autograd.Function writes to what it saved itself."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA401",
    name="function-saved-then-written",
    summary="A custom autograd.Function changes a tensor it saved for its own backward.",
    kind="saved-modified",
    roles=frozenset({"function"}),
    message="{name} is changed in place inside the Function that saved it for backward",
    anonymous="a saved tensor",
    legs={"saved": "save_for_backward() keeps it", "used": "the saved tensor is read here"},
    help="or clone() it before the write",
    rewrite=True,
    page=Page(
        what="""\
What `ctx.save_for_backward` keeps is checked each time backward reads `ctx.saved_tensors`. This
check reports a Function that writes to such a tensor itself, typically its backward() that
scales a saved tensor in place and is run (or reads the tensors) again.""",
        why="Reading `ctx.saved_tensors` raises the next time.",
        error="one of the variables needed for gradient computation has been modified by an inplace"
        " operation",
        bad="""\
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y.mul_(grad)


x = torch.randn(3, requires_grad=True)
loss = Exp.apply(x).sum()
loss.backward(retain_graph=True)
loss.backward()
""",
        good="""\
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * grad


x = torch.randn(3, requires_grad=True)
loss = Exp.apply(x).sum()
loss.backward(retain_graph=True)
loss.backward()
""",
        instead="""\
Never write to a tensor that came from `ctx.saved_tensors`; compute a new one.""",
    ),
)
