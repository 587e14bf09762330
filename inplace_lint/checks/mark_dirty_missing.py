"""IPA402: a custom Function changes its input without telling autograd."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA402",
    name="mark-dirty-missing",
    summary="A custom autograd.Function changes an input in place without ctx.mark_dirty.",
    kind="silent",
    roles=frozenset({"mark-dirty"}),
    message="{mutator} changes {name}, an input of this Function, without ctx.mark_dirty()",
    anonymous="a tensor",
    legs={"mutated": "the input changes here, and the graph does not know"},
    help="call `ctx.mark_dirty(...)` and return the input, or work on a new tensor",
    page=Page(
        what="""\
forward() of a custom autograd.Function may change an input in place only if it calls
`ctx.mark_dirty(input)` and returns it. This check reports a forward that changes an input and
does not.""",
        why="""\
Nothing raises. Whoever uses the input afterwards computes with the new values, while the graph
still has the history of the old ones: gradients are wrong.""",
        bad="""\
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        return x.sum()

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad * torch.ones(3)


w = torch.ones(3, requires_grad=True)
h = w * 1
total = Scale.apply(h)
(total + (h * h).sum()).backward()
""",
        good="""\
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x * 2).sum()

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad * torch.ones(3)


w = torch.ones(3, requires_grad=True)
h = w * 1
total = Scale.apply(h)
(total + (h * h).sum()).backward()
""",
        instead="""\
Work on a new tensor, or mark the input dirty and return it as the (first) output.""",
    ),
)
