"""What iterates: known items, and made-up ones behind them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    Const,
    DictValue,
    External,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import acts, lookup, unknowns, views
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.state import Raised

if TYPE_CHECKING:
    from inplace_lint.domain.values import FunctionValue, Value
    from inplace_lint.interp.state import State

LONGEST = 500
"""Items of a known container that are handed on."""
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


Consume: TypeAlias = "Callable[[Value], None]"


@dataclass(slots=True)
class Running:
    """The payload of what gives its items one by one: `run` hands each to the consumer in turn.

    What it does between two items happens after what the loop did with the first of them.
    """

    run: Callable[[Consume], None]

    def shown(self, show: Callable[[int, Value], Value]) -> Instance:
        """The same with each item shown otherwise, given its number."""

        def run(consume: Consume) -> None:
            count = itertools.count()
            self.run(lambda item: consume(show(next(count), item)))

        return Instance(External("builtins.generator"), native=Running(run))


def running(state: State, value: Value) -> Running | None:
    """How an object in view gives its items, if it is a generator or has an `__iter__` in view."""
    value = settle(value)
    if not isinstance(value, Instance):
        return None
    if isinstance(value.native, Running):
        return value.native
    method = lookup.find_method(value, "__iter__")
    if value.native is not None or method is None:
        return None
    if method.function.is_generator:
        call = Call([value])
        return Running(lambda consume: acts.run_generator(state, method, call, consume))
    found = settle(acts.call_method(state, value, method, []))
    following = lookup.find_method(found, "__next__")
    if following is None:
        return running(state, found) if found is not value else None
    return Running(lambda consume: _step_by_step(state, found, following, consume))


def _step_by_step(state: State, value: Value, following: FunctionValue, consume: Consume) -> None:
    for _ in range(2):
        state.guarded += 1
        try:
            item = acts.call_method(state, value, following, [])
        except Raised:
            return
        finally:
            state.guarded -= 1
        consume(item)


def another(state: State, value: Value) -> Callable[[int], Value] | None:
    """What gives further items of an iterable whose length is not known; None where it is."""
    value = settle(value)
    if isinstance(value, Unknown):
        return lambda number: unknowns.item(state, value, number)
    if isinstance(value, ListValue) and value.more is not None:
        return value.more.item
    return None


def _rows(state: State, tensor: Tensor, count: int) -> tuple[Value, ...]:
    return views.split(state, tensor, "unbind", count)


def _of_instance(state: State, value: Instance) -> list[Value]:
    """The items of a container, or all that a running object gives, at once."""
    if isinstance(value.native, (ListValue, DictValue, TupleValue)):
        return items_for_loop(state, value.native)
    found = running(state, value)
    if found is not None:
        items: list[Value] = []
        found.run(items.append)
        return items
    method = lookup.find_method(value, "__iter__")
    if method is None:
        return [Unknown(f"item:{state.next()}") for _ in range(2)]
    result = settle(acts.call_method(state, value, method, []))
    return [] if isinstance(result, Instance) else items_for_loop(state, result)


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
        items.append(views.sibling(items[0]))
    return items
