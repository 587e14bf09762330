"""Builtins, functools and itertools over what iterates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import calls, iterate
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.truth import truth

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


@model("builtins.range")
def range_(state: State, call: Call) -> Value:
    """The first rounds of a known range; of an unknown one as many unknown numbers."""
    bounds = [literal(arg) for arg in call.args]
    if bounds and all(isinstance(b, int) for b in bounds):
        return _known_range(state, [b for b in bounds if isinstance(b, int)])
    first = bounds[0] if len(bounds) > 1 and isinstance(bounds[0], int) else 0
    if len(bounds) <= 1 or isinstance(bounds[0], int):
        step = bounds[2] if len(bounds) > 2 and isinstance(bounds[2], int) else 1
        items = [Const(first + n * step) for n in range(iterate.RANGE)]
        _number_rounds(state, items)
        return ListValue(list(items), kind="range")
    return ListValue([Number(f"value:{state.next()}") for _ in range(2)], kind="range")


def _number_rounds(state: State, indices: list[Const]) -> None:
    state.rounds += [(index, index is indices[-1]) for index in indices]


def _known_range(state: State, bounds: list[int]) -> Value:
    """All of a short range; the first rounds of a longer one, a number standing for the others."""
    try:
        known = range(*bounds)
    except (TypeError, ValueError):
        known = range(iterate.RANGE)
    longer = len(known) > iterate.WHOLE
    shown = known[: iterate.RANGE] if longer else known
    made = ListValue([Const(n) for n in shown], kind="range")
    made.longer = longer
    return made


@model("builtins.zip")
def zip_(state: State, call: Call) -> Value:
    columns = [iterate.items_for_loop(state, settle(arg)) for arg in call.args]
    if not columns:
        return ListValue([])
    return ListValue([TupleValue(row) for row in zip(*columns, strict=False)])


@model("builtins.enumerate")
def enumerate_(state: State, call: Call) -> Value:
    items = iterate.items_for_loop(state, settle(call.args[0])) if call.args else []
    start = literal(call.get(1, "start") or Const(0))
    first = start if isinstance(start, int) else 0
    rows = [(Const(n), item) for n, item in enumerate(items, first)]
    _number_rounds(state, [index for index, _ in rows])
    return ListValue([TupleValue(row) for row in rows])


@model("builtins.map")
def map_(state: State, call: Call) -> Value:
    columns = [iterate.items_for_loop(state, settle(arg)) for arg in call.args[1:]]
    made = [calls.call(state, call.args[0], Call(list(row))) for row in zip(*columns, strict=False)]
    return ListValue(made)


@model("builtins.filter")
def filter_(state: State, call: Call) -> Value:
    items = iterate.items_for_loop(state, settle(call.args[1])) if len(call.args) > 1 else []
    test = settle(call.args[0])
    if test is NONE or isinstance(test, Const):
        return ListValue(items)
    kept = []
    for item in items:
        known = truth(state, calls.call(state, test, Call([item])))
        if known is not False:
            kept.append(item)
    return ListValue(kept)


@model("builtins.reversed")
def reversed_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return value
    return ListValue(iterate.items_for_loop(state, value)[::-1])


@model("builtins.sorted")
def sorted_(state: State, call: Call) -> Value:
    return ListValue(iterate.items_for_loop(state, settle(call.args[0])) if call.args else [])


@model("builtins.list")
def list_(state: State, call: Call) -> Value:
    return ListValue(_all_items(state, call))


@model("builtins.set", "builtins.frozenset")
def set_(state: State, call: Call) -> Value:
    return ListValue(_all_items(state, call), kind="set")


@model("collections.deque")
def deque(state: State, call: Call) -> Value:
    limit = call.get(1, "maxlen")
    known = literal(limit) if limit is not None else None
    size = known if isinstance(known, int) else None
    items = _all_items(state, call)
    return ListValue(items[-size:] if size else items, kind="deque", limit=size)


def _all_items(state: State, call: Call) -> list[Value]:
    value = settle(call.args[0]) if call.args else ListValue()
    return list(iterate.items_for_loop(state, value))


@model("builtins.tuple", "torch.Size")
def tuple_(state: State, call: Call) -> Value:
    return TupleValue(tuple(_all_items(state, call)))


@model("builtins.iter")
def iter_(state: State, call: Call) -> Value:
    return call.args[0] if call.args else NONE


@model("builtins.next")
def next_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    items = iterate.items_for_loop(state, value)
    if isinstance(value, ListValue) and value.items and value.kind == "generator":
        return value.items.pop(0)
    return items[0] if items else Unknown(f"value:{state.next()}")


@model("functools.reduce")
def reduce(state: State, call: Call) -> Value:
    items = iterate.items_for_loop(state, settle(call.args[1])) if len(call.args) > 1 else []
    total = call.args[2] if len(call.args) > 2 else (items.pop(0) if items else NONE)
    for item in items:
        total = calls.call(state, call.args[0], Call([total, item]))
    return total


@model("itertools.chain", "itertools.chain.from_iterable")
def chain(state: State, call: Call) -> Value:
    items: list[Value] = []
    for arg in call.args:
        value = settle(arg)
        parts = iterate.items_for_loop(state, value)
        items += parts
    return ListValue(items)


@model("itertools.repeat", "itertools.cycle")
def repeat(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (ListValue, TupleValue)):
        return ListValue(iterate.items_for_loop(state, value))
    return ListValue([value, value])


@model("itertools.product", "itertools.combinations", "itertools.permutations")
def product(state: State, call: Call) -> Value:
    columns = [iterate.items_for_loop(state, settle(a))[:2] for a in call.args]
    if len(columns) == 1:
        columns = columns * 2
    return ListValue([TupleValue(row) for row in zip(*columns, strict=False)])
