"""IPA101: an op saved its own result, and the result is changed before backward."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA101",
    name="saved-result-mutated",
    summary="A result that its own op saved for backward is changed in place.",
    kind="saved-modified",
    roles=frozenset({"result"}),
    message="{name} is changed in place after {saver} saved it for backward",
    anonymous="the result of {saver}",
    legs={"saved": "{saver} saves its result"},
    help="or do it before {saver}",
    rewrite=True,
    page=Page(
        what="""\
Some ops compute their gradient from their own result: exp, sigmoid, tanh, relu, softmax, sqrt,
rsqrt, reciprocal, norm, std, cumprod, logsumexp and others keep the very tensor they return.
This check reports a write to such a tensor (an in-place method, an augmented assignment, an
index assignment, `out=`, an `inplace=True` module) that happens before a backward that needs
it.""",
        why="""\
backward() raises, and its message names the op that saved the tensor, never the line that
changed it, which may stand in another function or file.""",
        error="one of the variables needed for gradient computation has been modified by an inplace"
        " operation",
        bad="""\
import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
y.add_(10)
y.sum().backward()
""",
        good="""\
import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
y = y + 10
y.sum().backward()
""",
        instead="""\
Make a new tensor: `y = y + 10`, `y = y.clamp(min=0)`, `y = F.relu(y)`. Where memory matters,
move the write to a tensor that nobody saved: the result of an addition, a matmul or a
convolution may be overwritten freely. `inplace-lint ops exp` tells what an op saves.""",
    ),
)
