"""The `operator` module: operators as functions, and getters by name or item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    Const,
    Native,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import attributes, calls, operators, subscripts
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.interp.state import State


def _binary(name: str, op: str) -> None:
    @model(f"operator.{name}", f"operator.__{name}__")
    def run(state: State, call: Call) -> Value:
        left, right = _two(state, call)
        return operators.binary(state, op, left, right)

    @model(f"operator.i{name}", f"operator.__i{name}__")
    def run_in_place(state: State, call: Call) -> Value:
        left, right = _two(state, call)
        return operators.in_place(state, op, left, right)


def _two(state: State, call: Call) -> tuple[Value, Value]:
    given: list[Value] = [settle(arg) for arg in call.args[:2]]
    given += [Unknown(f"value:{state.next()}") for _ in range(2 - len(given))]
    return given[0], given[1]


for _op, _name in operators.DUNDERS.items():
    _binary(_name, _op)


def _compare(name: str, op: str) -> None:
    @model(f"operator.{name}", f"operator.__{name}__")
    def run(state: State, call: Call) -> Value:
        left, right = _two(state, call)
        return operators.compare(state, op, left, right)


for _op, _name in {**operators.COMPARISONS, "is": "is_", "is not": "is_not"}.items():
    _compare(_name, _op)


@model("operator.neg", "operator.__neg__")
def negative(state: State, call: Call) -> Value:
    return operators.unary(state, "-", settle(call.args[0])) if call.args else NONE


@model(
    "operator.getitem",
    "operator.__getitem__",
    "Tensor.__getitem__",
    "list.__getitem__",
    "tuple.__getitem__",
)
def get_item(state: State, call: Call) -> Value:
    left, right = _two(state, call)
    return subscripts.get(state, left, right)


@model(
    "operator.setitem",
    "operator.__setitem__",
    "Tensor.__setitem__",
    "list.__setitem__",
    "dict.__setitem__",
)
def set_item(state: State, call: Call) -> Value:
    left, right = _two(state, call)
    if len(call.args) > 2:
        subscripts.put(state, left, right, call.args[2], augmented=False)
    return NONE


def _getter(call: Call, get: Callable[[State, Value, Value], Value]) -> Value:
    """A function that gets what the arguments name from its own argument: one, or a tuple."""

    def run(state: State, inner: Call) -> Value:
        obj = settle(inner.args[0]) if inner.args else NONE
        found = [get(state, obj, settle(name)) for name in call.args]
        return found[0] if len(found) == 1 else TupleValue(tuple(found))

    return Native("getter", run)


@model("operator.itemgetter")
def itemgetter(state: State, call: Call) -> Value:
    return _getter(call, subscripts.get)


@model("operator.attrgetter")
def attrgetter(state: State, call: Call) -> Value:
    return _getter(call, _attribute)


def _attribute(state: State, obj: Value, name: Value) -> Value:
    """A dotted attribute."""
    known = literal(name)
    for part in known.split(".") if isinstance(known, str) else ():
        obj = settle(attributes.get(state, obj, part))
    return obj if isinstance(known, str) else Unknown(f"value:{state.next()}")


@model("operator.methodcaller")
def methodcaller(state: State, call: Call) -> Value:
    name, given = (call.args[0] if call.args else Const("")), call.args[1:]

    def run(inner_state: State, inner: Call) -> Value:
        obj = settle(inner.args[0]) if inner.args else NONE
        method = _attribute(inner_state, obj, name)
        return calls.call(inner_state, method, Call(list(given), dict(call.keywords)))

    return Native("methodcaller", run)
