"""IPA208: a tensor made in inference mode is saved for backward, or written outside."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA208",
    name="inference-tensor-used",
    summary="A tensor made in inference mode is saved for backward or written outside of it.",
    kind="inference-tensor",
    message="{mutator} needs a normal tensor, but {name} was made in inference mode",
    anonymous="this one",
    legs={
        "view": "in inference mode",
        "leaf": "made in inference mode",
        "used": "{mutator} saves it or writes to it",
    },
    site="used",
    help="clone() it outside of inference mode first, or make it under `torch.no_grad()`",
    page=Page(
        what="""\
A tensor made under `torch.inference_mode()` has no version counter. This check reports an op
that would save it for backward, and an in-place write to it outside of inference mode (even
under no_grad).""",
        why="Both raise, often in a training step that reuses cached features.",
        error="Inference tensors cannot be saved for backward. Please do not use Tensors created in"
        " inference mode in computation tracked by autograd.",
        bad="""\
import torch

with torch.inference_mode():
    prior = torch.ones(3)
weight = torch.ones(3, requires_grad=True)
(weight * prior).sum().backward()
""",
        good="""\
import torch

with torch.no_grad():
    prior = torch.ones(3)
weight = torch.ones(3, requires_grad=True)
(weight * prior).sum().backward()
""",
        instead="""\
Use `torch.no_grad()` for what training reads later, or `clone()` the tensor outside. The other
error of this kind reads "Inplace update to inference tensor outside InferenceMode is not
allowed".""",
    ),
)
