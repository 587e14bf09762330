"""An object that has lived for a while: its counters stand at any number.

A made-up object is as new: what counts its steps, or what its buffer holds, is zero. A training
that waits for `self.step % 100 == 0`, or for enough data, would wait forever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import ClassValue, Const, FunctionValue, Instance, Number, settle
from inplace_lint.harness.arguments import GIVEN
from inplace_lint.interp import lookup
from inplace_lint.interp.truth import RETURNS
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

TRAINS = frozenset({"backward", "step", "load_state_dict"})
"""What a method that trains names."""
DEPTH = 2
"""Objects of objects that are looked into."""


def grow(state: State, obj: Instance, method: Function) -> None:
    """Before a training, on the path that has every optional argument: counters are unknown."""
    if method.names.isdisjoint(TRAINS):
        return
    counters = list(_counters(obj, obj.name, DEPTH))
    if counters and state.decide(f"{GIVEN}age of {obj.name}", False, RETURNS):
        for owner, name, key in counters:
            owner.attrs[name] = Number(f"{key}.{name}")


def _counters(obj: Instance, key: str, depth: int) -> Iterator[tuple[Instance, str, str]]:
    """Numbers that a method of the object's class changes, and those of the objects it holds."""
    if not isinstance(obj.cls, ClassValue) or lookup.is_module_class(obj.cls):
        return
    changed = _changed(obj.cls)
    for name, value in obj.attrs.items():
        inner = settle(value)
        if name in changed and _is_number(inner):
            yield obj, name, key
        elif depth and isinstance(inner, Instance):
            yield from _counters(inner, f"{key}.{name}", depth - 1)


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) in {int, float}


def _changed(cls: ClassValue) -> set[str]:
    """Attributes of `self` that methods other than the constructor store."""
    methods = [
        value.function
        for one in lookup.classes_of(cls)
        for name, value in getattr(one, "attrs", {}).items()
        if isinstance(value, FunctionValue) and name != "__init__"
    ]
    return {name for method in methods for name in _stored(method)}


def _stored(method: Function) -> Iterator[str]:
    first = method.params[0].name if method.params else None
    own = set()
    for op in walk(method.body):
        if isinstance(op, ops.LoadName) and op.name == first:
            own.add(op.out)
        elif isinstance(op, ops.SetAttr) and op.obj in own:
            yield op.name
