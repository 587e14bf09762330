"""Children of unknown class: a network that a registry or a factory elsewhere has built.

`self.head = build(config)` gives an unknown object. Where a module that owns no weight in view is
asked for its parameters, those of its children that its code calls must have some.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from inplace_lint.domain.values import ClassValue, FunctionValue, Instance, Unknown, settle
from inplace_lint.interp import generic, lookup, ownership
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.domain.tensor import Tensor
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

MADE = frozenset({"result", "object"})


def parameters(state: State, obj: Value) -> dict[str, Tensor]:
    """The parameters of a module by name; children of unknown class own one where nobody else."""
    found = ownership.named(obj)
    if found:
        return found
    for module in ownership.modules(obj):
        for name, child in _unknown_children(module):
            child.name = name
            generic.weight_of(state, child)
    return ownership.named(obj)


def _unknown_children(module: Value) -> Iterator[tuple[str, Unknown]]:
    """Attributes that an unknown callee has made, and that a method in view calls."""
    if not isinstance(module, Instance) or not isinstance(module.cls, ClassValue):
        return
    called = _called_by(module.cls)
    for name, value in module.attrs.items():
        child = settle(value)
        if name in called and isinstance(child, Unknown) and _may_own(child):
            yield name, child


def _may_own(child: Unknown) -> bool:
    return child.origin in MADE and not child.operands and not generic.is_weightless(child)


def _called_by(cls: ClassValue) -> set[str]:
    """Names of attributes that the methods of a class call."""
    names: set[str] = set()
    for one in lookup.classes_of(cls):
        for method in one.attrs.values() if isinstance(one, ClassValue) else ():
            if isinstance(method, FunctionValue):
                names |= _called_in(method.function)
    return names


@functools.lru_cache(maxsize=256)
def _called_in(function: Function) -> frozenset[str]:
    read: dict[int, str] = {}
    called = set()
    for op in walk(function.body):
        if isinstance(op, ops.GetAttr):
            read[op.out] = op.name
        elif isinstance(op, ops.Call) and op.func in read:
            called.add(read[op.func])
    return frozenset(called)
