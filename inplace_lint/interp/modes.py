"""Grad mode and its kin: what a decorator or context manager sets while code runs."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    Const,
    External,
    FunctionValue,
    Instance,
    Native,
    settle,
)
from inplace_lint.interp.contexts import Manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import Modes, State


def _no_grad(modes: Modes) -> None:
    modes.grad = False


def _enable_grad(modes: Modes) -> None:
    modes.grad = not modes.inference


def _inference(modes: Modes) -> None:
    modes.grad, modes.inference = False, True


def _autocast(modes: Modes) -> None:
    modes.autocast = True


def _hooks(modes: Modes) -> None:
    modes.hooks = True


def _nothing(modes: Modes) -> None:
    """A manager that changes no mode."""


SETTERS: dict[str, Callable[[Modes], None]] = {
    "no_grad": _no_grad,
    "enable_grad": _enable_grad,
    "inference_mode": _inference,
    "autocast": _autocast,
    "hooks": _hooks,
    "same": _nothing,
    "contextmanager": _nothing,
    "cached": _nothing,
}


def enter(state: State, names: tuple[str, ...]) -> Modes:
    """Set modes by name, outermost first; gives the modes to restore."""
    before = state.modes
    if names:
        state.modes = dataclasses.replace(before)
        for name in names:
            SETTERS[name](state.modes)
    return before


def manager(state: State, name: str) -> Value:
    """An object that works as context manager and as decorator."""
    stack: list[Modes] = []

    def start(inner: State) -> Value:
        stack.append(enter(inner, (name,)))
        return NONE

    def stop(inner: State) -> None:
        inner.modes = stack.pop()

    made = Instance(External(f"torch.{name}"), native=Manager(start, stop))
    made.attrs["__call__"] = Native(name, lambda _state, call: decorate(name, call.args[0]))
    return made


def restoring(made: Value, name: str, before: Modes) -> Value:
    """A manager for a switch that was already thrown: leaving restores what was before it."""

    def start(state: State) -> Value:
        enter(state, (name,))
        return NONE

    def stop(state: State) -> None:
        state.modes = before

    assert isinstance(made, Instance)
    made.native = Manager(start, stop)
    return made


def decorate(name: str, func: Value) -> Value:
    """The function, run under the mode from now on; the innermost decorator is applied last."""
    func = settle(func)
    if not isinstance(func, FunctionValue):
        return func
    return dataclasses.replace(func, modes=(name, *func.modes))


def switch(state: State, call: Call, on: str, off: str) -> Value:
    """`set_grad_enabled(b)`, `inference_mode(b)`: the mode a literal chooses."""
    flag = call.get(0, "mode")
    known = settle(flag) if flag is not None else Const(True)
    if isinstance(known, Const):
        return manager(state, on if known.value else off)
    return manager(state, on)
