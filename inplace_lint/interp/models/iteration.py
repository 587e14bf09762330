"""Builtins, functools and itertools over what iterates."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from inplace_lint.domain.rounds import FURTHEST, Rounds
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
from inplace_lint.interp import calls, iterate, unknowns
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.truth import truth

if TYPE_CHECKING:
    from collections.abc import Callable

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
        made = _counting(lambda n: first + n * step, FURTHEST)
        _number_rounds(state, [n for n in made.items if isinstance(n, Const)])
        return made
    return ListValue([Number(f"value:{state.next()}") for _ in range(2)], kind="range")


def _number_rounds(state: State, indices: list[Const]) -> None:
    state.rounds += [(index, index is indices[-1]) for index in indices]


def _known_range(state: State, bounds: list[int]) -> Value:
    """All of a short range; the first rounds of a longer one."""
    try:
        known = range(*bounds)
        len(known)
    except (TypeError, ValueError, OverflowError):
        known = range(iterate.RANGE)
    if len(known) > iterate.WHOLE:
        return _counting(known.__getitem__, len(known))
    return ListValue([Const(n) for n in known], kind="range")


def _counting(compute: Callable[[int], int], length: int) -> ListValue:
    """The first numbers of a long range, and what gives the others."""
    more = Rounds(lambda number: more.counter(number, compute), length)
    return ListValue([more.item(number) for number in range(iterate.RANGE)], None, "range", more)


@model("builtins.zip")
def zip_(state: State, call: Call) -> Value:
    streams = [iterate.running(state, arg) for arg in call.args]
    if sum(stream is not None for stream in streams) == 1:
        return _zip_running(state, call, streams)
    columns = _columns(state, call)
    if not columns:
        return ListValue([])
    rows: list[Value] = [TupleValue(row) for row in zip(*columns, strict=False)]
    others = [iterate.another(state, arg) for arg in call.args]
    known = [other for other in others if other is not None]
    if len(known) < len(others):
        return ListValue(rows)
    return ListValue(rows, more=Rounds(lambda n: TupleValue(tuple(item(n) for item in known))))


def _columns(state: State, call: Call) -> list[list[Value]]:
    """The items to pair; what is of unknown length has as many as the others."""
    given = [settle(arg) for arg in call.args]
    columns = [iterate.items_for_loop(state, value) for value in given]
    known = [len(c) for v, c in zip(given, columns, strict=True) if not isinstance(v, Unknown)]
    for value, column in zip(given, columns, strict=True):
        if isinstance(value, Unknown):
            further = range(len(column), min(known, default=0))
            column += [unknowns.item(state, value, number) for number in further]
    return columns


def _zip_running(state: State, call: Call, streams: list[iterate.Running | None]) -> Value:
    """One iterable runs, the others' items are at hand."""
    place, stream = next((n, s) for n, s in enumerate(streams) if s is not None)
    others = [iterate.items_for_loop(state, a) for n, a in enumerate(call.args) if n != place]

    def row(number: int, item: Value) -> Value:
        beside = [column[min(number, len(column) - 1)] if column else NONE for column in others]
        return TupleValue((*beside[:place], item, *beside[place:]))

    return stream.shown(row)


@model("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.std.tqdm", "rich.progress.track")
def watched(state: State, call: Call) -> Value | None:
    """A progress bar hands on what it is given."""
    return call.args[0] if call.args else None


@model("builtins.enumerate")
def enumerate_(state: State, call: Call) -> Value:
    start = literal(call.get(1, "start") or Const(0))
    first = start if isinstance(start, int) else 0
    stream = iterate.running(state, call.args[0]) if call.args else None
    if stream is not None:
        return stream.shown(lambda n, item: TupleValue((Const(first + n), item)))
    items = iterate.items_for_loop(state, settle(call.args[0])) if call.args else []
    another = iterate.another(state, call.args[0]) if call.args else None
    rows = [(Const(n), item) for n, item in enumerate(items, first)]
    if another is None or not items:
        _number_rounds(state, [index for index, _ in rows])
        return ListValue([TupleValue(row) for row in rows])

    def row(number: int) -> tuple[Const, Value]:
        item = items[number] if number < len(items) else another(number)
        return more.counter(number, lambda n: first + n), item

    more = Rounds(lambda number: TupleValue(row(number)))
    rows = [row(number) for number in range(len(items))]
    _number_rounds(state, [index for index, _ in rows])
    return ListValue([TupleValue(row) for row in rows], more=more)


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


@model("itertools.accumulate")
def accumulate(state: State, call: Call) -> Value:
    """The running results of a function, or sums."""
    items = iterate.items_for_loop(state, settle(call.args[0])) if call.args else []
    func, initial = call.get(1, "func"), call.keywords.get("initial")
    made = [*items[:1]] if initial is None else [initial]
    for item in items[len(made) if initial is None else 0 :]:
        given = Call([made[-1], item])
        known = func is not None and settle(func) is not NONE
        made.append(
            calls.call(state, func, given)
            if known and func is not None
            else calls.call_path(state, "operator.add", given)
        )
    return ListValue(made)


@model("itertools.pairwise")
def pairwise(state: State, call: Call) -> Value:
    items = iterate.items_for_loop(state, settle(call.args[0])) if call.args else []
    return ListValue([TupleValue(pair) for pair in itertools.pairwise(items)])


@model("itertools.starmap")
def starmap(state: State, call: Call) -> Value:
    rows = iterate.items_for_loop(state, settle(call.args[1])) if len(call.args) > 1 else []
    given = [Call(list(iterate.items_for_loop(state, row))) for row in rows]
    return ListValue([calls.call(state, call.args[0], one) for one in given])


@model("itertools.islice")
def islice(state: State, call: Call) -> Value:
    """The items at hand up to a known end."""
    items = iterate.items_for_loop(state, settle(call.args[0])) if call.args else []
    bounds = [literal(arg) for arg in call.args[1:]]
    known = [bound for bound in bounds if bound is None or isinstance(bound, int)]
    whole = known and len(known) == len(bounds) and all(b is None or b >= 0 for b in known)
    return ListValue(items[slice(*known)] if whole else items)


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
