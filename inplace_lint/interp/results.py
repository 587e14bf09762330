"""Tensors in what a function returns: containers, objects that hold results, distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import DictValue, Instance, ListValue, TupleValue, Unknown, settle
from inplace_lint.interp import lookup

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value

DEPTH = 4


def tensors(value: Value, depth: int = DEPTH) -> list[Tensor]:
    """Every tensor a caller could differentiate."""
    value = settle(value)
    if isinstance(value, Tensor):
        return [value]
    if depth == 0:
        return []
    return list(dict.fromkeys(t for item in _inside(value) for t in tensors(item, depth - 1)))


def _inside(value: Value) -> list[Value]:
    if isinstance(value, (ListValue, TupleValue)):
        rest = [value.rest] if isinstance(value, ListValue) and value.rest is not None else []
        return [*value.items, *rest]
    if isinstance(value, DictValue):
        return [*value.entries.values(), *([value.rest] if value.rest is not None else [])]
    if isinstance(value, Unknown):
        stored = [item for slot, item in value.attrs.items() if slot.startswith("[")]
        return [*value.operands, *stored]
    if isinstance(value, Instance) and not lookup.is_module_class(value.cls):
        return list(value.attrs.values())
    return []
