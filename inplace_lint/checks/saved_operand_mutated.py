"""IPA102: a later op saved a tensor as its operand, and the tensor is changed before backward."""

from inplace_lint.checks.base import Check, Page, Wording

CHECK = Check(
    code="IPA102",
    name="saved-operand-mutated",
    summary="A tensor that a later op saved as its operand is changed in place.",
    kind="saved-modified",
    roles=frozenset({"operand", "", "lent"}),
    message="{name} is changed in place after {saver} saved it for backward",
    anonymous="an operand of {saver}",
    legs={"saved": "{saver} saves this operand"},
    help="or write before {saver} reads it, or give it a clone()",
    rewrite=True,
    variants={
        "lent": Wording(
            message="{name} is changed in place, and with it the caller's tensor: detach() copies"
            " nothing",
            legs={"view": "shares the memory of the caller's tensor"},
            help="or write to a clone()",
        )
    },
    page=Page(
        what="""\
pow, mul, div, matmul, conv, the norm layers, most activations and losses, and every custom
autograd.Function that calls `save_for_backward`, keep operands for their gradient. This check
reports a write to such an operand between the op and a backward that needs it. A write to a
view, or to the tensor a view was taken of, counts: they share one version counter. So does
detach(): a function that detaches its argument and goes on to write to that changes what its
caller may still need, which is reported even where no caller is in view.""",
        why="""\
backward() raises, and its message names neither the op that saved nor the line that changed the
tensor. Whether an op saves an operand depends on the others: `mul` keeps a factor only if the
other one requires grad.""",
        error="one of the variables needed for gradient computation has been modified by an inplace"
        " operation",
        bad="""\
import torch

x = torch.randn(3, requires_grad=True)
h = x + 1
y = h.pow(2)
h.mul_(0.5)
y.sum().backward()
""",
        good="""\
import torch

x = torch.randn(3, requires_grad=True)
h = x + 1
y = h.pow(2)
h = h * 0.5
y.sum().backward()
""",
        instead="""\
Make a new tensor (`h = h * 0.5`), write before the op that reads it, or hand that op a copy
(`h.clone().pow(2)`). For a state that is carried along (a buffer, a mask, a counter in a
tensor), rebind the name instead of writing into the tensor.""",
    ),
)
