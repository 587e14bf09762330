"""Tables of literals as values: a path that looks one up must not pay for all of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import Const, DictValue, ListValue, Number, TupleValue
from inplace_lint.interp.dispatch import handles
from inplace_lint.ir import ops

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import Frame, State

MOST = 1000
"""Rows that are known one by one; all others are alike."""


@handles(ops.Table)
def run_table(state: State, frame: Frame, op: ops.Table) -> None:
    """A long display of literals."""
    frame.registers[op.out] = _value(state, op.rows)


def _value(state: State, rows: ops.Rows) -> Value:
    if rows.kind == "tuple":
        return TupleValue(tuple(_item(state, item) for item in rows.items))
    items = [_item(state, item) for item in rows.items[:MOST]]
    rest = _like(state, rows.items[MOST]) if len(rows.items) > MOST else None
    if rows.kind == "dict":
        return DictValue(dict(zip(rows.keys, items, strict=False)), rest)
    return ListValue(items, rest, rows.kind)


def _item(state: State, item: ops.Literal | ops.Rows) -> Value:
    return _value(state, item) if isinstance(item, ops.Rows) else Const(item)


def _like(state: State, item: ops.Literal | ops.Rows) -> Value:
    """An item of which only the form is known."""
    if not isinstance(item, ops.Rows):
        return Number(f"row:{state.next()}", type(item).__name__ if item is not None else "")
    if item.kind == "tuple":
        return TupleValue(tuple(_like(state, inner) for inner in item.items))
    return _value(state, item)
