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
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

FRESH = "value:"
"""Begins the key of a value that has no symbol: its number differs from path to path."""
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


def decide(state: State, value: Value, default: bool | None, weights: tuple[int, int]) -> bool:
    """Which side of an unknown condition to run; `value` is settled.

    `default` is the side that the code's form prefers; else the condition's usual truth, else True.
    `weights` say how much the two sides may change the answer.
    """
    if default is None:
        usual = usual_truth(value)
        default = True if usual is None else usual
    key = condition_key(state, value)
    flipped = False
    while key.startswith(NOT):
        key, flipped = key[len(NOT) :], not flipped
    weight = weights[1] if default else weights[0]
    answer = state.decide(key, default != flipped, weight) != flipped
    if isinstance(value, Number) and value.fact is not None:
        value.fact(answer)
    return answer


def usual_truth(value: Value) -> bool | None:
    """The likelier truth of a condition: what is asked for None is usually there."""
    if not isinstance(value, Number):
        return None
    if value.usual is not None:
        return value.usual
    if value.key.startswith(IS_NONE):
        return False
    return True if value.key.startswith(NOT + IS_NONE) else None


def short_circuit(op: ops.If) -> str:
    """ "and" or "or" for the If that such an expression was lowered to, else ""."""
    for word, side in (("or", op.then), ("and", op.orelse)):
        if len(side) == 1 and isinstance(side[0], ops.Copy) and side[0].src == op.cond:
            return word
    return ""


def combined(state: State, word: str, left: Value, right: Value) -> Value:
    """`left and right`, `left or right` where left is not known."""
    known = truth(state, right)
    if known is not None and not isinstance(right, (Tensor, Unknown)):
        if isinstance(left, Number):
            return right if known == (word == "or") and isinstance(right, Const) else left
        return right if word == "and" else left
    if isinstance(left, Number) and isinstance(right, (Number, Tensor)):
        usual = [usual_truth(left), usual_truth(right)]
        both = any(u is True for u in usual) if word == "or" else all(u is not False for u in usual)
        likely = None if usual == [None, None] else both
        key = f"({condition_key(state, left)} {word} {condition_key(state, right)})"
        return Number(key, "bool", likely, _both_facts(word, left, right))
    return left if word == "or" else right


def _both_facts(word: str, left: Value, right: Value) -> Callable[[bool], None] | None:
    """What a true `and` or a false `or` says about both sides."""
    facts = [v.fact for v in (left, right) if isinstance(v, Number) and v.fact is not None]
    telling = word == "and"

    def note(answer: bool) -> None:
        for fact in facts if answer == telling else ():
            fact(answer)

    return note if facts else None


def negated(value: Value) -> Callable[[bool], None] | None:
    """The fact of a condition's opposite."""
    fact = value.fact if isinstance(value, Number) else None
    return None if fact is None else lambda answer: fact(not answer)


def condition_key(state: State, value: Value) -> str:
    """The symbol of a condition; equal symbols are decided alike."""
    if isinstance(value, (Number, Unknown)) and FRESH not in value.key:
        return value.key
    site = state.innermost()
    return f"at {site.unit.file.path}:{site.unit.index}:{site.at}"


NOTHING, CALLS, LEAVES_ROUND, RETURNS, MUTATES = range(5)
"""How much a side of a condition may change the answer."""
WEIGHTS: dict[type, int] = {
    ops.Call: CALLS,
    ops.Break: LEAVES_ROUND,
    ops.Continue: LEAVES_ROUND,
    ops.Return: RETURNS,
}
COPIES = frozenset({"clone", "contiguous", "deepcopy", "copy", "detach", "repeat"})


def both_weights(op: ops.If, written: frozenset[str]) -> tuple[int, int]:
    """The weights of the two sides, where names in `written` are changed in place.

    To leave out a copy that one side makes, or a new value for such a name, matters like a write.
    """
    then, orelse = side_weight(op.then), side_weight(op.orelse)
    if _copies(op.then, written):
        orelse = MUTATES
    if _copies(op.orelse, written):
        then = MUTATES
    return then, orelse


def _copies(body: list[ops.Op], written: frozenset[str]) -> bool:
    return any(
        (isinstance(op, ops.GetAttr) and op.name in COPIES)
        or (isinstance(op, ops.StoreName) and op.name in written)
        for op in walk(body)
    )


def written_by(function: Function) -> frozenset[str]:
    """The names that a function changes in place and that may mean a detached alias; found once."""
    if function.written is None:
        body = list(walk(function.body)) if "detach" in function.names else []
        names = {op.out: op.name for op in body if isinstance(op, ops.LoadName)}
        targets = [_target(op) for op in body]
        function.written = frozenset(names[reg] for reg in targets if reg in names)
    return function.written


def _target(op: ops.Op) -> int | None:
    """The register that an op writes to in place."""
    if isinstance(op, ops.InPlace):
        return op.target
    if isinstance(op, (ops.SetItem, ops.GetAttr)):
        return op.obj if _mutates(op) else None
    return None


def side_weight(body: list[ops.Op]) -> int:
    """How much a side may change the answer."""
    weight = NOTHING
    for op in walk(body):
        if _mutates(op):
            return MUTATES
        weight = max(weight, WEIGHTS.get(type(op), NOTHING))
    return weight


def _mutates(op: ops.Op) -> bool:
    if isinstance(op, (ops.InPlace, ops.SetItem)):
        return True
    if isinstance(op, (ops.GetAttr, ops.SetAttr)):
        name = op.name
        return name in MUTATORS or (name.endswith("_") and not name.startswith("_"))
    return False
