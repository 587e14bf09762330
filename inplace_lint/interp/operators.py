"""Operators: on literals they are computed, on tensors they are rows of the table."""

from __future__ import annotations

import operator
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
    is_none,
    literal,
)
from inplace_lint.interp import autograd, calls, iterate, lookup, rounds, rows, unknowns
from inplace_lint.interp.containers import hashable, merge_dict
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.truth import IS_NONE, NOT, condition_key, negated, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
LONGEST_KEY = 120
LARGEST = 10**9

FOLD: dict[str, Callable[..., object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

DUNDERS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "@": "matmul",
    "**": "pow",
    "&": "and",
    "|": "or",
    "^": "xor",
}
COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
UNARY_DUNDERS = {"-": "neg", "+": "pos", "~": "invert"}
UNARY_ROWS = {"-": "op:neg", "+": "op:pos", "~": "op:invert"}


def unary(state: State, op: str, value: Value) -> Value:
    """`-x`, `+x`, `~x`, `not x`"""
    if op == "not":
        known = truth(state, value)
        if known is not None:
            of = rounds.combine(operator.not_, value) if isinstance(value, Const) else None
            return Const(not known, of)
        return Number(_negated(state, value), "bool", fact=negated(value))
    if isinstance(value, Tensor):
        return rows.row(state, UNARY_ROWS[op], op, Call([value]))
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        if op == "~":
            return Const(~value.value) if isinstance(value.value, int) else value
        return Const(-value.value if op == "-" else value.value)
    if isinstance(value, Instance):
        return _own_unary(state, UNARY_DUNDERS[op], value)
    return Number(_key(state, op, value), "") if isinstance(value, Number) else _lost(state, value)


def _method(obj: Value, name: str) -> FunctionValue | None:
    return lookup.find_method(obj, f"__{name}__") if isinstance(obj, Instance) else None


def _own_unary(state: State, name: str, value: Instance) -> Value:
    method = _method(value, name)
    if method is None:
        return Unknown(f"value:{state.next()}")
    return calls.call_method(state, value, method, [])


def _negated(state: State, value: Value) -> str:
    key = condition_key(state, value)
    return key[len(NOT) :] if key.startswith(NOT) else NOT + key


def binary(state: State, op: str, left: Value, right: Value) -> Value:
    """`left op right`"""
    if type(left) is Instance or type(right) is Instance:
        answer = _dunder(state, DUNDERS.get(op, ""), left, right)
        if answer is not None:
            return answer
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return _tensors(state, f"op:{op}", op, left, right)
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(state, op, left, right)
    if isinstance(left, (ListValue, TupleValue)):
        return _sequence(state, op, left, right)
    if isinstance(left, DictValue) and op == "|":
        merged = DictValue(dict(left.entries), left.rest)
        merge_dict(merged, right)
        return merged
    if isinstance(left, Instance):
        array = isinstance(left.native, Tensor)
        return Number(f"value:{state.next()}") if array else Unknown(f"value:{state.next()}")
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _of_unknown(state, op, left, right)
    return Number(_key(state, op, left, right))


def _of_unknown(state: State, op: str, left: Value, right: Value) -> Value:
    """Nobody knows what it is; it stays traceable to what went in."""
    known = next(v for v in (left, right) if isinstance(v, Unknown))
    made = Unknown(
        _key(state, op, left, right),
        known.origin,
        known.name,
        known.assume,
        doubt=known.doubt,
        site=state.here(),
    )
    made.operands = known.operands
    return made


def _fold(state: State, op: str, left: Const, right: Const) -> Value:
    try:
        if op == "**" and not _small(left.value, right.value):
            return Number(f"value:{state.next()}")
        compute = FOLD.get(op, operator.pow if op == "**" else None)
        if compute is None:
            return Number(f"value:{state.next()}")
        if op == "*" and isinstance(left.value, (str, bytes, list, tuple)):
            return Number(f"value:{state.next()}", "str")
        of = rounds.combine(compute, left, right) if left.of or right.of else None
        return Const(compute(left.value, right.value), of)
    except Exception:
        return Number(f"value:{state.next()}")


def _small(base: object, exponent: object) -> bool:
    """Whether computing the power is cheap."""
    numbers = isinstance(base, (int, float)) and isinstance(exponent, (int, float))
    return numbers and abs(base) < LARGEST and abs(exponent) < 64  # type: ignore[arg-type]


def _sequence(state: State, op: str, left: ListValue | TupleValue, right: Value) -> Value:
    """`[a] + [b]`, `[a] * n`"""
    items = list(left.items)
    if op == "+" and isinstance(right, (ListValue, TupleValue)):
        items += right.items
    elif op == "+" and isinstance(right, Unknown):
        items += [unknowns.item(state, right, 0)]
    elif op == "*":
        count = literal(right)
        items = items * min(count, 8) if isinstance(count, int) else items * 2
    return TupleValue(tuple(items)) if isinstance(left, TupleValue) else ListValue(items)


def _dunder(state: State, name: str, left: Value, right: Value) -> Value | None:
    """`left.__add__(right)`, else `right.__radd__(left)`; None where no class in view has it."""
    for obj, other, method in ((left, right, name), (right, left, f"r{name}")):
        found = _method(obj, method)
        if found is not None:
            return calls.call_method(state, obj, found, [other])
    return None


def _tensors(state: State, api: str, op: str, left: Value, right: Value) -> Value:
    """A row of the table; an unknown operand is taken for a tensor, with a doubt."""
    args: list[Value] = []
    for value in (left, right):
        if isinstance(value, Unknown):
            args.append(unknowns.become_tensor(state, value, _doubt(value)))
        else:
            args.append(value)
    return rows.row(state, api, op, Call(args))


def _doubt(value: Unknown) -> str | None:
    """Why an unknown operand may be a number; forward()'s own input is a tensor."""
    if value.operands or (value.assume is not None and value.assume.main):
        return None
    return unknowns.doubt_tensor(value.name)


def in_place(state: State, op: str, target: Value, value: Value) -> Value:
    """`target op= value` before the store; only tensors, lists and sets change in place."""
    if isinstance(target, Instance):
        method = _method(target, f"i{DUNDERS.get(op, '')}")
        if method is not None:
            return calls.call_method(state, target, method, [value])
    if op == "@":
        return binary(state, op, target, value)
    if isinstance(target, Tensor):
        return _tensors(state, f"op:{op}=", f"{op}=", target, value)
    if isinstance(target, Instance) and isinstance(target.native, Tensor):
        autograd.write_silently(state, target.native, f"{op}=", "memory")
        return target
    if isinstance(target, DictValue) and op == "|":
        merge_dict(target, value)
        return target
    if isinstance(target, ListValue):
        target.items.extend(_extension(state, value))
        return target
    if isinstance(target, Unknown) and isinstance(value, Tensor):
        return _grown(state, op, target, value)
    return binary(state, op, target, value)


def _extension(state: State, value: Value) -> list[Value]:
    return iterate.items_for_loop(state, value)


def _grown(state: State, op: str, target: Unknown, value: Tensor) -> Value:
    tensor = unknowns.become_tensor(state, target, f"`{target.name or 'it'}` is a tensor")
    return _tensors(state, f"op:{op}=", f"{op}=", tensor, value)


def compare(state: State, op: str, left: Value, right: Value) -> Value:
    """`left op right`; unknown answers carry a symbol, so that equal questions agree."""
    if op in {"is", "is not"}:
        return _identity(state, op == "is not", left, right)
    if op in {"in", "not in"}:
        return _membership(state, op == "not in", left, right)
    if type(left) is Instance:
        answer = _dunder(state, COMPARISONS[op], left, right)
        if answer is not None:
            return answer
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if is_none(left) or is_none(right):
            return Const(op == "!=")
        return rows.row(state, f"op:{op}", op, Call([left, right]))
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(state, op, left, right)
    if op in {"==", "!="} and (is_none(left) or is_none(right)):
        return _identity(state, op == "!=", left, right)
    if isinstance(left, External) and isinstance(right, External) and op in {"==", "!="}:
        return Const((left.path == right.path) == (op == "=="))
    if isinstance(left, Const) and isinstance(right, Number) and right.key.endswith(LESS_ONE):
        last = next((last for index, last in state.rounds if left is index), None)
        if last is not None and op in AT_LAST:
            if last:
                rounds.end(left)
            return Const(AT_LAST[op] == last)
    key = _key(state, "==" if op == "!=" else op, left, right)
    return Number(NOT + key if op == "!=" else key, "bool")


LESS_ONE = " - 1)"
AT_LAST = {"==": True, ">=": True, "!=": False, "<": False}
"""What `i op n - 1` is in the last round of a loop over n things, where nobody knows n."""


def _identity(state: State, negated: bool, left: Value, right: Value) -> Value:
    if left is right or (_constant(left) and _constant(right)):
        same = left is right or _same_constant(left, right)
        return Const(same != negated)
    for value, other in ((left, right), (right, left)):
        if is_none(other):
            if isinstance(value, Unknown) and not value.given:
                key = f"{IS_NONE}{value.key}"
                return Number(NOT + key if negated else key, "bool")
            return Const(negated)
    key = _key(state, "is", left, right)
    return Number(NOT + key if negated else key, "bool")


def _constant(value: Value) -> bool:
    return isinstance(value, (Const, External))


def _same_constant(left: Value, right: Value) -> bool:
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value is right.value or left.value == right.value
    return isinstance(left, External) and isinstance(right, External) and left.path == right.path


def _membership(state: State, negated: bool, left: Value, right: Value) -> Value:
    known = hashable(literal(left))
    entries = getattr(right, "entries", None)
    if entries is not None and getattr(right, "rest", None) is None and known is not NotImplemented:
        return Const((known in entries) != negated)
    whole = literal(right)
    if known is not NotImplemented and isinstance(whole, (tuple, str)):
        try:
            return Const((known in whole) != negated)
        except TypeError:
            pass
    key = _key(state, "in", left, right)
    usual = None
    if entries is not None and known is NotImplemented:
        if not entries and getattr(right, "rest", None) is None:
            return Const(negated)
        usual = not negated if getattr(right, "rest", None) is not None else None
    return Number(NOT + key if negated else key, "bool", usual)


def _key(state: State, op: str, *values: Value) -> str:
    """A symbol made of the operands' symbols; a fresh one where an operand has none."""
    parts = []
    for value in values:
        if isinstance(value, (Number, Unknown)):
            parts.append(value.key)
        elif isinstance(value, Const):
            parts.append(repr(value.value))
        elif isinstance(value, External):
            parts.append(value.path)
        else:
            return f"value:{state.next()}"
    key = f"({f' {op} '.join(parts)})" if len(parts) > 1 else f"{op}{parts[0]}"
    return key if len(key) <= LONGEST_KEY else f"value:{state.next()}"


def _lost(state: State, value: Value) -> Value:
    if isinstance(value, Unknown):
        return _of_unknown(state, "unary", value, value)
    return Unknown(f"value:{state.next()}")
