"""IPA201: an in-place write, in grad mode, to a leaf that requires grad."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA201",
    name="leaf-mutated",
    summary="A leaf tensor that requires grad is changed in place with grad mode on.",
    kind="leaf-inplace",
    message="{mutator} changes {name}, a leaf that requires grad",
    anonymous="a tensor",
    legs={"mutated": "{mutator} changes the leaf"},
    help="do it under `with torch.no_grad():` if it is an update, or work on a new tensor",
    page=Page(
        what="""\
A leaf is a tensor no op made: an nn.Parameter, or a tensor with `requires_grad=True`. This
check reports an in-place op on one while grad mode is on.""",
        why="The write raises at once: autograd cannot keep both the leaf and its new history.",
        error="a leaf Variable that requires grad is being used in an in-place operation",
        bad="""\
import torch

weight = torch.zeros(3, requires_grad=True)
weight += 1
""",
        good="""\
import torch

weight = torch.zeros(3, requires_grad=True)
with torch.no_grad():
    weight += 1
""",
        instead="""\
For initialisation and manual updates, write under `torch.no_grad()`. To compute with a changed
value, make a new tensor (`w = weight + 1`). To start from given values, fill the tensor before
`requires_grad_()`.""",
    ),
)
