"""IPA501: backward runs a second time through a graph that was freed."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA501",
    name="graph-reused",
    summary="A second backward runs through a graph that the first one freed.",
    kind="freed-graph",
    message="backward runs again through {saver}, whose saved tensors are already freed",
    legs={
        "saved": "{saver} saved tensors for one backward",
        "used": "this backward needs them again",
    },
    site="used",
    help="add the losses and run one backward(), detach() what is carried over,"
    " or pass retain_graph=True to the first one",
    page=Page(
        what="""\
backward() frees what the graph saved. This check reports a second backward through a part of it
that saved something. It stands at the second backward.""",
        why="""\
It raises at the second call: with two losses over one trunk, with a hidden state or a buffer
that keeps its history from one step to the next, or with a loss that is reused.""",
        error="Trying to backward through the graph a second time (or directly access saved tensors"
        " after they have already been freed).",
        bad="""\
import torch

x = torch.randn(3, requires_grad=True)
trunk = x.exp()
trunk.sum().backward()
trunk.mean().backward()
""",
        good="""\
import torch

x = torch.randn(3, requires_grad=True)
trunk = x.exp()
(trunk.sum() + trunk.mean()).backward()
""",
        instead="""\
Add the losses and call backward() once; `detach()` a state that is carried to the next step;
pass `retain_graph=True` to the first call only if both calls are really needed.""",
    ),
)
