"""Python's builtins on single values, as far as values flow through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    DictValue,
    Instance,
    ListValue,
    Native,
    Number,
    SliceValue,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import calls, containers, iterate, operators
from inplace_lint.interp.describe import describe
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.truth import truth, usual_truth

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


@model("builtins.reveal")
def reveal(state: State, call: Call) -> Value:
    """For tests: notes what the interpreter knows of a value."""
    for value in call.args:
        state.shared.revealed.append((state.here(), describe(settle(value))))
    return call.args[0] if call.args else NONE


@model("builtins.len")
def len_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Instance) and isinstance(value.native, (ListValue, DictValue)):
        value = value.native
    if isinstance(value, ListValue) and value.rest is None and value.kind != "range":
        return Const(len(value.items))
    if isinstance(value, TupleValue) and value.owner is None:
        return Const(len(value.items))
    if isinstance(value, DictValue) and value.rest is None:
        return Const(len(value.entries))
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(len(value.value))
    key = value.key if isinstance(value, (Unknown, Number)) else str(state.next())
    return Number(f"len:{key}", "")


@model("builtins.sum")
def sum_(state: State, call: Call) -> Value:
    """start + a + b ...: each `+` is an op of its own."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return calls.call_path(state, "Tensor.sum", Call([value]))
    total: Value = settle(call.get(1, "start") or Const(0))
    for item in iterate.items_for_loop(state, value):
        total = settle(operators.binary(state, "+", total, settle(item)))
    return total


@model("builtins.min", "builtins.max")
def min_max(state: State, call: Call) -> Value:
    values = [settle(arg) for arg in call.args]
    known = [literal(v) for v in values]
    if len(values) == 1 and not isinstance(values[0], (Tensor, Unknown)):
        items = iterate.items_for_loop(state, values[0])
        return items[0] if items else Number(f"value:{state.next()}")
    if any(isinstance(v, Tensor) for v in values):
        return next(v for v in values if isinstance(v, Tensor))
    numbers = [k for k in known if isinstance(k, (int, float))]
    if len(numbers) == len(known) and numbers:
        return Const(numbers[0]) if len(numbers) == 1 else Number(f"value:{state.next()}")
    return Number(f"value:{state.next()}")


@model("builtins.any")
def any_(state: State, call: Call) -> Value:
    return _quantified(state, call, True)


@model("builtins.all")
def all_(state: State, call: Call) -> Value:
    return _quantified(state, call, False)


def _quantified(state: State, call: Call, settles: bool) -> Value:
    """any() or all(): known where one item settles it, or all items are known."""
    given = settle(call.args[0]) if call.args else NONE
    unknown = Number(f"value:{state.next()}", "bool")
    more = isinstance(given, ListValue) and (given.rest is not None or given.more is not None)
    if more or not isinstance(given, (ListValue, TupleValue)):
        return unknown
    items = [settle(item) for item in given.items]
    answers = [truth(state, item) for item in items]
    if settles in answers:
        return Const(settles)
    if None not in answers:
        return Const(not settles)
    usual = {usual_truth(item) for item, known in zip(items, answers, strict=True) if known is None}
    unknown.usual = settles if settles in usual else None if None in usual else not settles
    return unknown


@model("builtins.abs")
def abs_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (Tensor, Unknown)):
        return calls.call_path(state, "Tensor.abs", Call([value]))
    return Number(f"value:{state.next()}")


@model("builtins.pow")
def pow_(state: State, call: Call) -> Value:
    return operators.binary(state, "**", settle(call.args[0]), settle(call.args[1]))


@model("builtins.divmod")
def divmod_(state: State, call: Call) -> Value:
    return TupleValue((Number(f"value:{state.next()}"), Number(f"value:{state.next()}")))


@model(
    "builtins.int",
    "builtins.float",
    "builtins.round",
    "builtins.complex",
    "builtins.hash",
    "builtins.id",
)
def number(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else Const(0)
    if isinstance(value, Const) and isinstance(value.value, int):
        return value
    if isinstance(value, Unknown) and value.operands == ():
        return Number(f"number:{value.key}")
    return Number(f"value:{state.next()}")


@model("builtins.bool")
def bool_(state: State, call: Call) -> Value:
    known = truth(state, call.args[0]) if call.args else False
    return Const(known) if known is not None else Number(f"value:{state.next()}", "bool")


@model(
    "builtins.str",
    "builtins.repr",
    "builtins.format",
    "builtins.bytes",
    "builtins.input",
    "builtins.chr",
)
def text(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else Const("")
    if isinstance(value, Const) and isinstance(value.value, (str, int)):
        return Const(str(value.value))
    return Number(f"value:{state.next()}", "str")


@model("builtins.print", "builtins.exit", "builtins.open", "builtins.delattr")
def nothing(state: State, call: Call) -> Value:
    return NONE


@model("weakref.ref")
def weak(state: State, call: Call) -> Value:
    """A weak reference: as long as the program holds it, calling it gives the object."""
    referent = call.args[0]
    return Native("weakref.ref", lambda _state, _call: referent)


@model(
    "builtins.dict",
    "collections.OrderedDict",
    "weakref.WeakKeyDictionary",
    "weakref.WeakValueDictionary",
)
def dict_(state: State, call: Call) -> Value:
    made = DictValue()
    given = settle(call.args[0]) if call.args else NONE
    if isinstance(given, (ListValue, TupleValue)):
        for pair in given.items:
            parts = iterate.items_for_unpack(state, settle(pair), 2, -1)
            if len(parts) == 2:
                containers.put(made, parts[0], parts[1])
    else:
        containers.merge_dict(made, given)
    made.entries.update(call.keywords)
    return made


@model("collections.defaultdict")
def defaultdict(state: State, call: Call) -> Value:
    made = DictValue()
    given = settle(call.args[1]) if len(call.args) > 1 else NONE
    containers.merge_dict(made, given)
    made.entries.update(call.keywords)
    if call.args and settle(call.args[0]) is not NONE:
        made.factory = call.args[0]
    return made


@model("builtins.slice")
def slice_(state: State, call: Call) -> Value:
    parts: list[Value | None] = list(call.args[:3])
    bounds = [None, *parts, None] if len(parts) == 1 else [*parts, None, None]
    return SliceValue(*bounds[:3])
