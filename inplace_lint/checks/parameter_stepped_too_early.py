"""IPA103: a parameter or buffer that the graph saved changes before its backward has run."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA103",
    name="parameter-stepped-too-early",
    summary="A parameter or buffer is changed while a graph that saved it awaits backward.",
    kind="saved-modified",
    roles=frozenset({"parameter", "buffer"}),
    message="{mutator} changes {name} after {saver} saved it for backward",
    anonymous="a parameter",
    legs={"saved": "{saver} saves the parameter", "mutated": "{mutator} changes it"},
    help="run every backward() that needs the old value first, or do the forward again after it",
    page=Page(
        what="""\
A forward pass saves weights: a Linear its weight if its input requires grad, a convolution or a
norm always. This check reports whatever changes such a parameter (or a registered buffer)
before the backward of that forward: `optimizer.step()`, an exponential moving average,
`load_state_dict`, weight clipping, an embedding with `max_norm`, a write of your own.""",
        why="""\
backward() raises at the second of two losses, far from the step() that is to blame. Two losses
with two optimizers (GANs, actor-critic, R-drop, distillation) are the usual place.""",
        error="one of the variables needed for gradient computation has been modified by an inplace"
        " operation",
        bad="""\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(4, 2)
first = net(x).sum()
second = net(2 * x).sum()
first.backward()
opt.step()
second.backward()
""",
        good="""\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(4, 2)
first = net(x).sum()
second = net(2 * x).sum()
first.backward()
second.backward()
opt.step()
""",
        instead="""\
Run all backward() calls first and all step() calls last, or compute the second loss after the
first step. Update moving averages and clip weights after backward().""",
    ),
)
