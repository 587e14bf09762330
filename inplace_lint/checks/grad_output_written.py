"""IPA403: a backward changes the gradient that was handed to it."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA403",
    name="grad-output-written",
    summary="The backward of a custom autograd.Function changes its grad_output in place.",
    kind="silent",
    roles=frozenset({"grad-output"}),
    message="{mutator} changes {name}, a gradient that other consumers may read",
    anonymous="the incoming gradient",
    legs={"mutated": "the gradient changes here for everybody who holds it"},
    help="the gradient is not yours to write to",
    rewrite=True,
    page=Page(
        what="""\
The gradients that backward() of a custom autograd.Function gets may be shared with other nodes
of the graph. This check reports a write to one.""",
        why="""\
Nothing raises (unless the gradient is an expanded tensor). Every other node that was handed the
same gradient computes with the changed one.""",
        bad="""\
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad.mul_(2)


x = torch.ones(3, requires_grad=True)
y = torch.ones(3, requires_grad=True)
other = y * 3
(Double.apply(x) + other).backward(torch.ones(3))
""",
        good="""\
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


x = torch.ones(3, requires_grad=True)
y = torch.ones(3, requires_grad=True)
other = y * 3
(Double.apply(x) + other).backward(torch.ones(3))
""",
        instead="""\
Return a new tensor (`grad * 2`), or clone() the gradient before writing to it.""",
    ),
)
