"""IPA204: a view made without grad mode is changed in place with grad mode on."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA204",
    name="no-grad-view-mutated",
    summary="A view made under no_grad is changed in place with grad mode on.",
    kind="nograd-view-inplace",
    message="{mutator} changes {name}, a view made in no_grad mode",
    anonymous="a tensor",
    legs={"view": "in no_grad mode"},
    help="make the view and write to it both inside no_grad, or both outside",
    page=Page(
        what="""\
A view taken under `torch.no_grad()` (or inference mode) may not be changed once grad mode is
on. This check reports such a write, also where the tensor behind the view is a plain buffer and
the written value is tracked, and a write to its base when the view is used later.""",
        why="The write raises: PyTorch cannot tell whether it should be part of the graph.",
        error="A view was created in no_grad mode and is being modified inplace with grad mode"
        " enabled",
        bad="""\
import torch

x = torch.randn(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    head = y[:2]
head.add_(1)
""",
        good="""\
import torch

x = torch.randn(4, requires_grad=True)
y = x * 2
head = y[:2]
head.add_(1)
""",
        instead="""\
Move the view out of the no_grad block if the write shall be differentiated, or the write into
it if not; or clone() the view.""",
    ),
)
