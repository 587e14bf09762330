"""Acts that need each other: an interpreter is recursive, its imports are not.

Reading an attribute may call a property, and a call reads attributes. The modules below name such
an act here; the module above that knows how binds it when it is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from inplace_lint.interp.dispatch import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import (
        External,
        FunctionValue,
        Instance,
        Value,
    )
    from inplace_lint.interp.state import Frame, State
    from inplace_lint.ir.ops import Op

P = ParamSpec("P")
R = TypeVar("R")


class Act(Generic[P, R]):
    """A function by name, until the module that defines it binds it."""

    __slots__ = ("_run",)
    _run: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do it."""
        return self._run(*args, **kwargs)

    def bind(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorate the function that does it."""
        self._run = function
        return function


run_body: Act[[State, Frame, list[Op]], str | None] = Act()
"""Run ops in order; the signal that ended them early."""
call: Act[[State, Value, Call], Value] = Act()
"""Call a value."""
run_generator: Act[[State, FunctionValue, Call, Callable[[Value], None]], None] = Act()
"""Run a generator function with its consumer in step."""
call_library: Act[[State, str, Call], Value] = Act()
"""Call a library function that has neither model nor row, by canonical path."""
call_library_method: Act[[State, str, Call], Value] = Act()
"""Call a library class's method on an instance or class in view."""
call_instance: Act[[State, Instance, Call], Value] = Act()
"""Call an object that has no `__call__` in view."""
construct_row: Act[[State, str, Call], Value] = Act()
"""Make an instance of a library class that the table describes."""
initialise: Act[[State, Instance, str, Call], None] = Act()
"""Run a library's `__init__` on an instance."""
library_attribute: Act[[State, Instance, External, str], Value | None] = Act()
"""What a library class gives its instances under a name."""
saved_tensors: Act[[State, Instance], Value] = Act()
"""`ctx.saved_tensors` inside a custom backward()."""


def call_method(state: State, receiver: Value, method: Value, args: list[Value]) -> Value:
    """Call a method in view."""
    return call(state, method, Call([receiver, *args]))
