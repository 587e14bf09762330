"""Dispatch tables, filled by decorators: ops to handlers, library paths to models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


@dataclass(slots=True)
class Call:
    """Arguments of a call; `open` if unknown `*args` or `**kwargs` may have brought more."""

    args: list[Value]
    keywords: dict[str, Value] = field(default_factory=dict)
    open: bool = False

    def get(self, position: int, name: str) -> Value | None:
        """An argument by position or name; None if it was not given."""
        if position < len(self.args):
            return self.args[position]
        return self.keywords.get(name)


HANDLERS: dict[type, Callable[[State, Any, Any], str | None]] = {}
MODELS: dict[str, Callable[[State, Call], Value | None]] = {}

FEW = 3
"""Models read at most this many positional arguments without looking how many there are."""


def run_model(run: Callable[[State, Call], Value | None], state: State, call: Call) -> Value | None:
    """A model's answer; None where it has none, or reads arguments that the call does not give."""
    try:
        return run(state, call)
    except IndexError:
        if len(call.args) > FEW:
            raise
        return None


F = TypeVar("F", bound="Callable[..., Any]")


def handles(op: type) -> Callable[[F], F]:
    """Register the handler of one kind of op."""

    def register(function: F) -> F:
        HANDLERS[op] = function
        return function

    return register


def model(*paths: str) -> Callable[[F], F]:
    """Register the model of library functions, by canonical path; None means "not handled"."""

    def register(function: F) -> F:
        for path in paths:
            MODELS[path] = function
        return function

    return register
