"""IPA202: an in-place write, in grad mode, to a view of a leaf that requires grad."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA202",
    name="leaf-view-mutated",
    summary="A view of a leaf that requires grad is changed in place with grad mode on.",
    kind="leaf-view-inplace",
    message="{mutator} writes through a view of {name}, a leaf that requires grad",
    anonymous="a tensor",
    legs={"view": "of the leaf", "mutated": "{mutator} writes to the leaf's memory"},
    help="do it under `with torch.no_grad():`, or build the value from a new tensor",
    page=Page(
        what="""\
A slice, a row, a transpose of a leaf is a view of it. This check reports an in-place op on such
a view while grad mode is on; `weight[0] = 1` is one, too.""",
        why="The write raises at once, like a write to the leaf itself.",
        error="a view of a leaf Variable that requires grad is being used in an in-place operation",
        bad="""\
import torch

weight = torch.zeros(3, requires_grad=True)
weight[0] = 1
""",
        good="""\
import torch

weight = torch.zeros(3, requires_grad=True)
with torch.no_grad():
    weight[0] = 1
""",
        instead="""\
Write under `torch.no_grad()` if this is initialisation or an update. If the changed value is
part of the computation, copy first: `w = weight.clone(); w[0] = 1`.""",
    ),
)
