"""IPA206: an elementwise write to a tensor whose elements share memory."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA206",
    name="expanded-tensor-written",
    summary="An expanded tensor, whose elements share memory, is written in place.",
    kind="overlap",
    message="{mutator} writes to {name}, whose elements share memory",
    anonymous="an expanded tensor",
    legs={"view": "{how} makes several elements share one memory location"},
    help="or clone() it (or use repeat()) before the write",
    rewrite=True,
    page=Page(
        what="""\
expand, expand_as and broadcast_to make a view in which many elements are one location in
memory. This check reports an elementwise write to such a tensor, and a copy between overlapping
parts of one tensor (`x[1:] = x[:-1]`). Fills of the whole tensor are accepted by PyTorch and
not reported.""",
        why="The write raises, with gradients or without: its result would depend on the order.",
        error="unsupported operation: more than one element of the written-to tensor refers to a"
        " single memory location",
        bad="""\
import torch

positions = torch.arange(3.0).unsqueeze(0).expand(2, 3)
positions.add_(1)
""",
        good="""\
import torch

positions = torch.arange(3.0).unsqueeze(0).expand(2, 3)
positions = positions + 1
""",
        instead="""\
Use the out-of-place op, or `expand(...).clone()`, or `repeat(...)`.""",
    ),
)
