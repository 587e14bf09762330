"""IPA203: an in-place write to one of several views that one call returned."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA203",
    name="multi-view-mutated",
    summary="An output of chunk, split or unbind (or its base) is changed in place.",
    kind="multi-view-inplace",
    message="{mutator} changes {name}, one of several views that {how} returned",
    anonymous="a tensor",
    legs={"view": "{how} returns several views of one tensor"},
    help="or clone() the piece first",
    rewrite=True,
    page=Page(
        what="""\
chunk, split, unbind and iteration over a tensor return several views at once. This check
reports an in-place op on one of them, and a write to their base (or to a sibling) when a piece
is used later. tensor_split, hsplit and unsafe_chunk are not affected.""",
        why="PyTorch raises at the write, or at the next use of the piece.",
        error="This view is the output of a function that returns multiple views. Such functions do"
        " not allow the output views to be modified inplace.",
        bad="""\
import torch

x = torch.randn(4, requires_grad=True)
gate, value = (x * 2).chunk(2)
gate.sigmoid_()
(gate * value).sum().backward()
""",
        good="""\
import torch

x = torch.randn(4, requires_grad=True)
gate, value = (x * 2).chunk(2)
gate = gate.sigmoid()
(gate * value).sum().backward()
""",
        instead="""\
Use the out-of-place op, or `gate = gate.clone()` before the write.""",
    ),
)
