"""Lists, tuples, dicts and what iterates: known items, and made-up ones behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    DictValue,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    literal,
    settle,
)

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value


def empty_dict() -> DictValue:
    """`{}`"""
    return DictValue()


def put(target: DictValue, key: Value, value: Value) -> None:
    """`target[key] = value`"""
    known = hashable(literal(key))
    if known is NotImplemented:
        target.rest = value
    else:
        target.entries[known] = value


def hashable(key: object) -> object:
    """The key itself, or NotImplemented where it is unknown or can't be one."""
    try:
        hash(key)
    except TypeError:
        return NotImplemented
    return key


def fill(into: DictValue, defaults: DictValue) -> None:
    """Entries that a dict lacks, from another."""
    into.entries = {**defaults.entries, **into.entries}


def merge_dict(target: DictValue, other: Value) -> None:
    """`{**other}`"""
    if isinstance(other, DictValue):
        target.entries.update(other.entries)
        target.rest = other.rest if other.rest is not None else target.rest
    elif isinstance(other, (Unknown, Number)):
        target.rest = other


def tensors_in(value: Value, depth: int = 3) -> list[Tensor]:
    """Every tensor in a value, looking into containers and objects that hold results."""
    value = settle(value)
    if isinstance(value, Tensor):
        return [value]
    if depth == 0:
        return []
    inner: list[Value] = []
    if isinstance(value, (ListValue, TupleValue)):
        inner = list(value.items)
        inner += [value.rest] if isinstance(value, ListValue) and value.rest is not None else []
    elif isinstance(value, DictValue):
        inner = [*value.entries.values(), *([value.rest] if value.rest is not None else [])]
    elif isinstance(value, Unknown):
        return list(value.operands)
    return [tensor for item in inner for tensor in tensors_in(item, depth - 1)]
