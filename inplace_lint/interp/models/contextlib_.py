"""contextlib: managers made of generators, of others, of nothing."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    External,
    FunctionValue,
    Instance,
    Native,
    Value,
    settle,
)
from inplace_lint.interp import calls, lookup
from inplace_lint.interp.contexts import Manager
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.interp.state import State


@model("contextlib.contextmanager", "contextlib.asynccontextmanager")
def contextmanager(state: State, call: Call) -> Value:
    func = settle(call.args[0]) if call.args else NONE
    if isinstance(func, FunctionValue):
        return dataclasses.replace(func, modes=("contextmanager", *func.modes))
    return func


@model("contextlib.nullcontext", "contextlib.closing")
def nullcontext(state: State, call: Call) -> Value:
    value = call.get(0, "enter_result") or NONE
    manager = Manager(lambda _state: value, lambda _state: None)
    return Instance(External("contextlib.nullcontext"), native=manager)


@model("contextlib.ExitStack", "contextlib.AsyncExitStack")
def exit_stack(state: State, call: Call) -> Value:
    """What was entered is left in reverse order at the stack's end."""
    leaves: list[Callable[[State], None]] = []
    stack = Instance(External("contextlib.ExitStack"))

    def leave(inner: State) -> None:
        while leaves:
            leaves.pop()(inner)

    def enter_context(inner: State, given: Call) -> Value:
        manager = settle(given.args[0]) if given.args else NONE
        value, left = _enter(inner, manager)
        leaves.append(left)
        return value

    stack.native = Manager(lambda _state: stack, leave)
    stack.attrs["enter_context"] = Native("enter_context", enter_context)
    return stack


def _enter(state: State, manager: Value) -> tuple[Value, Callable[[State], None]]:
    """Enter a manager whose body is not known yet; gives the `as` value and how to leave it."""
    if not isinstance(manager, Instance):
        return manager, lambda _state: None
    if isinstance(manager.native, Manager):
        return manager.native.enter(state), manager.native.leave
    enter = lookup.find_method(manager, "__enter__")
    leave = lookup.find_method(manager, "__exit__")
    value = calls.call_method(state, manager, enter, []) if enter is not None else manager

    def left(inner: State) -> None:
        if leave is not None:
            calls.call_method(inner, manager, leave, [NONE, NONE, NONE])

    return value, left
