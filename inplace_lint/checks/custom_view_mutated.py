"""IPA205: an in-place write to a view that a custom Function (or a backward hook) returned."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA205",
    name="custom-view-mutated",
    summary="A view that a custom autograd.Function returned is changed in place.",
    kind="custom-view-inplace",
    message="{mutator} changes {name}, a view that a custom autograd.Function returned",
    anonymous="a tensor",
    legs={"view": "the Function returns a view, or its input as it is"},
    help="or clone() the Function's output",
    rewrite=True,
    page=Page(
        what="""\
When a custom autograd.Function returns its input unchanged, or a view of anything, its output
is a view that only the Function's backward knows. This check reports an in-place op on it. A
module with a full backward hook wraps its inputs and outputs in such a Function: an in-place
child module then is reported as well.""",
        why="The write raises: it would bypass the custom backward.",
        error="This view was created inside a custom Function (or because an input was returned"
        " as-is)",
        bad="""\
import torch


class ReverseGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


x = torch.randn(3, requires_grad=True)
y = ReverseGradient.apply(x * 2)
y.clamp_(min=0)
y.sum().backward()
""",
        good="""\
import torch


class ReverseGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


x = torch.randn(3, requires_grad=True)
y = ReverseGradient.apply(x * 2)
y = y.clamp(min=0)
y.sum().backward()
""",
        instead="""\
Use the out-of-place op on the output, or return a fresh tensor (`x.clone()`) from forward().""",
    ),
)
