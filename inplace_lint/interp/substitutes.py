"""What a function takes in place of an optional argument that was not given.

`def forward(self, x, state=None): if state is None: state = [...]`: the path that has None sees
a list, and so the argument that callers give is one too, not a tensor, whatever its annotation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    DictValue,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import unknowns

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import Frame, State

Container: TypeAlias = "ListValue | TupleValue | DictValue"
CONTAINERS = (ListValue, TupleValue, DictValue)
ITEMS = 2
"""Items of a list whose length nobody knows."""


def note(state: State, frame: Frame, name: str, value: Value) -> None:
    """A name that was None is bound: remember the container that stands for an argument."""
    value = settle(value)
    if isinstance(value, CONTAINERS) and any(p.name == name for p in frame.function.params):
        state.shared.substitutes.setdefault(frame.function, {}).setdefault(name, value)


def apply(state: State, known: dict[str, Container], names: dict[str, Value]) -> None:
    """Made-up arguments become what the function is known to put in their place."""
    for name, substitute in known.items():
        if name in names:
            names[name] = _fit(state, names[name], substitute)


def _fit(state: State, given: Value, like: Value) -> Value:
    """The value itself, or what it is by its substitute."""
    value, like = settle(given), settle(like)
    if isinstance(value, (ListValue, TupleValue)) and isinstance(like, (ListValue, TupleValue)):
        return _fit_items(state, value, like)
    if not isinstance(like, CONTAINERS):
        return given
    if isinstance(value, Unknown):
        value.become = _like(state, value, like)
    elif isinstance(value, Tensor) and value.made_up and value.maker == "argument":
        return _like(state, Unknown(f"value:{state.next()}", "argument", value.name or ""), like)
    return given


def _fit_items(
    state: State, value: ListValue | TupleValue, like: ListValue | TupleValue
) -> ListValue | TupleValue:
    """A container of which some items are made up by an annotation."""
    pairs = list(zip(value.items, like.items, strict=False))
    items = [_fit(state, item, shown) for item, shown in pairs]
    if all(new is old for new, (old, _) in zip(items, pairs, strict=True)):
        return value
    items += value.items[len(items) :]
    return TupleValue(tuple(items)) if isinstance(value, TupleValue) else ListValue(items)


def _like(state: State, given: Unknown, substitute: Container) -> Container:
    """A container of the same type whose items are those of the argument."""
    if isinstance(substitute, DictValue):
        return DictValue(rest=unknowns.item(state, given, 0))
    shown = substitute.items[:ITEMS] if isinstance(substitute, ListValue) else substitute.items
    items = [_item(state, given, n, item) for n, item in enumerate(shown)]
    if isinstance(substitute, TupleValue):
        return TupleValue(tuple(items), substitute.fields)
    items += [unknowns.item(state, given, n) for n in range(len(items), ITEMS)]
    return ListValue(items, kind=substitute.kind)


def _item(state: State, given: Unknown, position: int, like: Value) -> Value:
    """A number where the substitute holds one, a container where it holds one."""
    like = settle(like)
    if isinstance(like, (Const, Number)) and like is not NONE:
        return Number(f"{given.key}[{position}]")
    return _fit(state, unknowns.item(state, given, position), like)
