"""What iterates: known items, and made-up ones behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    Const,
    DictValue,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import acts, lookup, transfer, unknowns

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

LONGEST = 12
"""Items of a known list that a loop visits; construction code needs more than two."""
RANGE = 3
WHOLE = 5
"""A range up to this length is run in full, a longer one `RANGE` times."""


def items_for_loop(state: State, value: Value) -> list[Value]:
    """The items a loop visits."""
    value = settle(value)
    if isinstance(value, ListValue):
        rest = [] if value.rest is None else [value.rest]
        return [*value.items[:LONGEST], *rest]
    if isinstance(value, TupleValue):
        return list(value.items[:LONGEST])
    if isinstance(value, DictValue):
        rest = [] if value.rest is None else [Number(f"key:{state.next()}", "")]
        return [*(Const(key) for key in list(value.entries)[:LONGEST]), *rest]
    if isinstance(value, Tensor):
        return list(_rows(state, value, 2))
    if isinstance(value, Instance):
        return _of_instance(state, value)
    if isinstance(value, Const) and isinstance(value.value, str):
        return [Const(letter) for letter in value.value[:RANGE]]
    if isinstance(value, Unknown):
        return [unknowns.item(state, value, 0), unknowns.item(state, value, 1)]
    return [Unknown(f"item:{state.next()}") for _ in range(2)]


def _rows(state: State, tensor: Tensor, count: int) -> tuple[Value, ...]:
    return transfer.split(state, tensor, "unbind", count)


def _of_instance(state: State, value: Instance) -> list[Value]:
    if isinstance(value.native, (ListValue, DictValue, TupleValue)):
        return items_for_loop(state, value.native)
    method = lookup.find_method(value, "__iter__")
    if method is None:
        return [Unknown(f"item:{state.next()}") for _ in range(2)]
    result = settle(acts.call_method(state, value, method, []))
    if result is value or isinstance(result, Instance):
        following = lookup.find_method(value, "__next__")
        if following is None:
            return []
        return [acts.call_method(state, value, following, []) for _ in range(2)]
    return items_for_loop(state, result)


def items_for_unpack(state: State, value: Value, count: int, star: int) -> list[Value]:
    """Exactly the items that `count` targets take (more when one of them is starred)."""
    value = settle(value)
    if isinstance(value, Tensor):
        return list(_rows(state, value, count if star < 0 else max(count, 2)))
    if isinstance(value, TupleValue) and value.owner is not None and star < 0:
        return _split_again(value, count)
    if isinstance(value, Unknown):
        return [unknowns.item(state, value, n) for n in range(count)]
    if isinstance(value, Number):
        return [Number(f"{value.key}[{n}]") for n in range(count)]
    return items_for_loop(state, value)


def _split_again(value: TupleValue, count: int) -> list[Value]:
    """Outputs of a multi-output view op whose number was not known."""
    items = list(value.items[:count])
    while items and len(items) < count:
        items.append(transfer.sibling(items[0]))
    return items
