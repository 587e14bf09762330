"""IPA207: `out=` together with an argument that requires grad."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA207",
    name="out-with-grad",
    summary="An op is called with out= while an argument requires grad.",
    kind="out-requires-grad",
    message="{mutator} is given out= while an argument requires grad",
    legs={"mutated": "a call with out= has no derivative"},
    help="leave out= away, or wrap the call in `with torch.no_grad():`",
    page=Page(
        what="""\
The `out=` form of an op has no derivative. This check reports such a call in grad mode when an
input or the out tensor itself requires grad.""",
        why="The call raises at once.",
        error="functions with out=... arguments don't support automatic differentiation, but one of"
        " the arguments requires grad.",
        bad="""\
import torch

weight = torch.ones(2, 2, requires_grad=True)
buffer = torch.empty(2, 2)
torch.matmul(weight, torch.ones(2, 2), out=buffer)
""",
        good="""\
import torch

weight = torch.ones(2, 2, requires_grad=True)
buffer = torch.matmul(weight, torch.ones(2, 2))
""",
        instead="""\
Take the result of the plain call. If no gradient is wanted, call it under `torch.no_grad()` or
with detached arguments.""",
    ),
)
