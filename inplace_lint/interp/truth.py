"""Truth of abstract values, and which side of an unknown condition is worth another path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

NOT = "not "
IS_NONE = "is none: "

OPEN = frozenset({"typing.TYPE_CHECKING", "builtins.__debug__"})
MUTATORS = frozenset({"backward", "step", "copy_", "load_state_dict", "data"})


def truth(state: State, value: Value) -> bool | None:
    """True, False, or None when it is not known."""
    value = settle(value)
    if type(value) is Const:
        return bool(value.value)
    if isinstance(value, ListValue):
        return True if value.items else (False if value.rest is None else None)
    if isinstance(value, DictValue):
        return True if value.entries else (False if value.rest is None else None)
    if isinstance(value, TupleValue):
        return bool(value.items)
    if isinstance(value, External):
        return None if value.path in OPEN or _of_library(value.path) else True
    if isinstance(value, (Tensor, Number, Unknown)):
        return None
    if isinstance(value, Instance):
        return None if _has_length(value) else True
    return True if isinstance(value, FunctionValue) else None


def _of_library(path: str) -> bool:
    """A lower-case constant of some library (`config.FLAG`): its value is not in view."""
    return path.rpartition(".")[2].isupper()


def _has_length(value: Instance) -> bool:
    return any("__len__" in getattr(cls, "attrs", ()) for cls in getattr(value.cls, "mro", ()))


def decide(state: State, value: Value, default: bool, then_weight: int, else_weight: int) -> bool:
    """Which side of a condition to run, deciding it when it is unknown."""
    known = truth(state, value)
    if known is not None:
        return known
    key = condition_key(state, settle(value))
    flipped = False
    while key.startswith(NOT):
        key, flipped = key[len(NOT) :], not flipped
    if key.startswith(IS_NONE):
        default = flipped
    weight = else_weight if default else then_weight
    return state.decide(key, default != flipped, weight) != flipped


def condition_key(state: State, value: Value) -> str:
    """The symbol of a condition; equal symbols are decided alike."""
    if isinstance(value, (Number, Unknown)):
        return value.key
    site = state.here()
    return f"at {site.unit.file.path}:{site.unit.index}:{site.at}"


def side_weight(body: list[ops.Op]) -> int:
    """How much running this side may change the answer: 3 mutates, 2 returns, 1 calls, 0 nothing."""
    weight = 0
    for op in walk(body):
        if _mutates(op):
            return 3
        if isinstance(op, ops.Return):
            weight = 2
        elif isinstance(op, ops.Call):
            weight = max(weight, 1)
    return weight


def _mutates(op: ops.Op) -> bool:
    if isinstance(op, (ops.InPlace, ops.SetItem)):
        return True
    if isinstance(op, (ops.GetAttr, ops.SetAttr)):
        name = op.name
        return name in MUTATORS or (name.endswith("_") and not name.startswith("_"))
    return False
