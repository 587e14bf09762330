"""IPA302: a saved tensor changes through memory that numpy or DLPack shares."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA302",
    name="foreign-memory-write",
    summary="A saved tensor's memory is changed through numpy or DLPack: wrong gradients.",
    kind="silent",
    roles=frozenset({"", "result", "operand", "parameter", "buffer", "function"}),
    hows=frozenset({"memory"}),
    message="{mutator} changes the memory of {name} after {saver} saved it",
    anonymous="a tensor",
    legs={
        "saved": "{saver} saves it for backward",
        "mutated": "this write is not counted: PyTorch cannot notice it",
        "used": "backward reads the changed value: wrong gradients, no error",
    },
    help="copy when crossing: `torch.tensor(a)`, `t.numpy().copy()`, or write after backward()",
    page=Page(
        what="""\
`t.numpy()`, `torch.from_numpy(a)`, `torch.as_tensor(a)`, `torch.frombuffer`,
`torch.from_dlpack` and `untyped_storage()` share memory and no version counter. This check
reports a write on the other side to memory that an op saved, before the backward that needs it.""",
        why="""\
Nothing raises and the gradients are wrong. A batch array that is refilled while a graph still
holds the last batch is the usual case.""",
        bad="""\
import numpy as np
import torch

batch = np.ones(3, dtype="float32")
w = torch.ones(3, requires_grad=True)
loss = (w * torch.from_numpy(batch)).sum()
batch[:] = 0
loss.backward()
""",
        good="""\
import numpy as np
import torch

batch = np.ones(3, dtype="float32")
w = torch.ones(3, requires_grad=True)
loss = (w * torch.tensor(batch)).sum()
batch[:] = 0
loss.backward()
""",
        instead="""\
Copy at the border: `torch.tensor(a)` instead of `from_numpy(a)`, `t.detach().numpy().copy()`.""",
    ),
)
