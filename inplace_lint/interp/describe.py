"""What the interpreter knows of a value, in one line: for `reveal(x)` in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    Const,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp.autograd import requires_of

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value


def describe(value: Value) -> str:
    """One line about a value."""
    value = settle(value)
    if isinstance(value, Tensor):
        return _tensor(value)
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, (Number, Unknown)):
        return type(value).__name__.lower()
    if isinstance(value, (ListValue, TupleValue)):
        return f"{type(value).__name__.removesuffix('Value').lower()} of {len(value.items)}"
    if isinstance(value, Instance):
        return f"object of {getattr(value.cls, 'name', getattr(value.cls, 'path', '?'))}"
    return type(value).__name__.removesuffix("Value").lower()


def _tensor(tensor: Tensor) -> str:
    words = ["tensor" if tensor.base is None else f"view by {tensor.maker}"]
    words.append(f"version {tensor.counter.version}")
    requires = requires_of(tensor)
    if requires is True:
        words.append("requires grad")
    elif requires:
        words.append("may require grad")
    if tensor.role != "plain":
        words.append(tensor.role)
    savers = [
        entry for entry in (tensor.node.saved if tensor.node else []) if entry.tensor is tensor
    ]
    if savers and tensor.node is not None:
        words.append(f"saved by {tensor.node.op}")
    return ", ".join(words)
