"""`with`: what a context manager does around its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain.values import NONE, External, FunctionValue, Instance, Native, settle
from inplace_lint.interp import acts, lookup
from inplace_lint.interp.dispatch import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import State
Body: TypeAlias = "Callable[[Value], str | None]"
"""Runs the `with` body on the value bound by `as`; gives the signal that ended it."""


@dataclass(slots=True)
class Manager:
    """The native payload of a modelled context manager: `enter` gives the `as` value."""

    enter: Callable[[State], Value]
    leave: Callable[[State], None]


def handle(registered: list[Value], item: Value) -> Instance:
    """What registering a hook gives: `remove()`, or the end of its `with`, takes it off again."""

    def remove(_state: State) -> None:
        registered[:] = [other for other in registered if other is not item]

    def removed(state: State, _call: Call) -> Value:
        remove(state)
        return NONE

    made = Instance(External("torch.utils.hooks.RemovableHandle"))
    made.native = Manager(lambda _state: made, remove)
    made.attrs["remove"] = Native("remove", removed)
    return made


@dataclass(slots=True)
class Suspended:
    """The payload of a call of a @contextmanager function: its generator has not begun."""

    function: FunctionValue
    call: Call


def around(state: State, manager: Value, body: Body) -> str | None:
    """Run the body inside a model's manager, a generator's, one in view, or an unknown one."""
    manager = settle(manager)
    if not isinstance(manager, Instance):
        return body(manager)
    native = manager.native
    if isinstance(native, Manager):
        return _native(state, native, body)
    if isinstance(native, Suspended):
        return _generator(state, native, body)
    return _methods(state, manager, body)


def _native(state: State, manager: Manager, body: Body) -> str | None:
    value = manager.enter(state)
    try:
        return body(value)
    finally:
        manager.leave(state)


def _generator(state: State, suspended: Suspended, body: Body) -> str | None:
    """The body runs where the generator yields: its try/finally and `with` hold around it."""
    signals: list[str | None] = []

    def resume(value: Value) -> None:
        if not signals:
            signals.append(None)
            signals[0] = body(value)

    acts.run_generator(state, suspended.function, suspended.call, resume)
    return signals[0] if signals else None


def _methods(state: State, manager: Instance, body: Body) -> str | None:
    enter = lookup.find_method(manager, "__enter__")
    leave = lookup.find_method(manager, "__exit__")
    value: Value = manager
    if enter is not None:
        value = acts.call_method(state, manager, enter, [])
    try:
        return body(value)
    finally:
        if leave is not None:
            acts.call_method(state, manager, leave, [NONE, NONE, NONE])
