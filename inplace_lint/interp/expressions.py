"""Ops that make a value: names, literals, attributes, items, operators, calls, definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    Const,
    FunctionValue,
    Number,
    SliceValue,
    Unknown,
    settle,
)
from inplace_lint.interp import (
    attributes,
    calls,
    construct,
    coverage,
    iterate,
    operators,
    scope,
    subscripts,
)
from inplace_lint.interp.dispatch import Call, handles
from inplace_lint.ir import ops

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import Frame, State


@handles(ops.Const)
def run_const(state: State, frame: Frame, op: ops.Const) -> None:
    frame.registers[op.out] = Const(op.value)


@handles(ops.Copy)
def run_copy(state: State, frame: Frame, op: ops.Copy) -> None:
    frame.registers[op.out] = frame.registers[op.src]


@handles(ops.Opaque)
def run_opaque(state: State, frame: Frame, op: ops.Opaque) -> None:
    frame.registers[op.out] = Unknown(f"value:{state.next()}")


@handles(ops.Text)
def run_text(state: State, frame: Frame, op: ops.Text) -> None:
    parts = [_plain(frame.registers[part]) for part in op.parts]
    if op.pieces and all(isinstance(part, (str, int)) for part in parts):
        pairs = zip(op.pieces, [*parts, ""], strict=True)
        frame.registers[op.out] = Const("".join(f"{piece}{part}" for piece, part in pairs))
        return
    frame.registers[op.out] = Number(f"text:{state.next()}", "str")


def _plain(value: Value) -> object:
    value = settle(value)
    return value.value if isinstance(value, Const) else NotImplemented


@handles(ops.LoadName)
def run_load(state: State, frame: Frame, op: ops.LoadName) -> None:
    name, env, top = op.name, frame.env, frame.scope.env
    while env is not None and env is not top:
        value = env.names.get(name)
        if value is not None:
            frame.registers[op.out] = value
            return
        env = env.parent  # type: ignore[assignment]  # None ends the loop
    frame.registers[op.out] = scope.global_name(state, frame.scope, name)


@handles(ops.GetAttr)
def run_get_attr(state: State, frame: Frame, op: ops.GetAttr) -> None:
    obj = settle(frame.registers[op.obj])
    frame.registers[op.out] = attributes.get(state, obj, op.name)
    if op.name[-1] == "_" and coverage.writes(op):
        coverage.note(state, frame, op, settle(frame.registers[op.obj]))


@handles(ops.SetAttr)
def run_set_attr(state: State, frame: Frame, op: ops.SetAttr) -> None:
    obj = settle(frame.registers[op.obj])
    attributes.put(state, obj, op.name, frame.registers[op.src])
    if op.name == "data":
        coverage.note(state, frame, op, settle(obj))


@handles(ops.DelAttr)
def run_del_attr(state: State, frame: Frame, op: ops.DelAttr) -> None:
    attrs = getattr(settle(frame.registers[op.obj]), "attrs", None)
    if isinstance(attrs, dict):
        attrs.pop(op.name, None)


@handles(ops.GetItem)
def run_get_item(state: State, frame: Frame, op: ops.GetItem) -> None:
    obj, index = settle(frame.registers[op.obj]), settle(frame.registers[op.index])
    frame.registers[op.out] = subscripts.get(state, obj, index)


@handles(ops.SetItem)
def run_set_item(state: State, frame: Frame, op: ops.SetItem) -> None:
    obj, index = settle(frame.registers[op.obj]), settle(frame.registers[op.index])
    subscripts.put(state, obj, index, frame.registers[op.src], op.augmented)
    coverage.note(state, frame, op, settle(obj))


@handles(ops.DelItem)
def run_del_item(state: State, frame: Frame, op: ops.DelItem) -> None:
    subscripts.delete(settle(frame.registers[op.obj]), settle(frame.registers[op.index]))


@handles(ops.MakeSlice)
def run_slice(state: State, frame: Frame, op: ops.MakeSlice) -> None:
    bounds = [None if r is None else frame.registers[r] for r in (op.lower, op.upper, op.step)]
    frame.registers[op.out] = SliceValue(*bounds)


@handles(ops.Unary)
def run_unary(state: State, frame: Frame, op: ops.Unary) -> None:
    frame.registers[op.out] = operators.unary(state, op.op, settle(frame.registers[op.value]))


@handles(ops.Binary)
def run_binary(state: State, frame: Frame, op: ops.Binary) -> None:
    left, right = settle(frame.registers[op.left]), settle(frame.registers[op.right])
    frame.registers[op.out] = operators.binary(state, op.op, left, right)


@handles(ops.InPlace)
def run_in_place(state: State, frame: Frame, op: ops.InPlace) -> None:
    target, value = settle(frame.registers[op.target]), settle(frame.registers[op.value])
    frame.registers[op.out] = operators.in_place(state, op.op, target, value)
    coverage.note(state, frame, op, settle(target))


@handles(ops.Compare)
def run_compare(state: State, frame: Frame, op: ops.Compare) -> None:
    left, right = settle(frame.registers[op.left]), settle(frame.registers[op.right])
    frame.registers[op.out] = operators.compare(state, op.op, left, right)


@handles(ops.Call)
def run_call(state: State, frame: Frame, op: ops.Call) -> None:
    registers = frame.registers
    call = Call([])
    for arg in op.args:
        if arg.kind == "positional":
            call.args.append(registers[arg.value])
        else:
            ARGUMENTS[arg.kind](state, call, arg, registers[arg.value])
    registers[op.out] = calls.call(state, registers[op.func], call)


def _keyword(state: State, call: Call, arg: ops.Arg, value: Value) -> None:
    call.keywords[arg.name] = value


def _star(state: State, call: Call, arg: ops.Arg, value: Value) -> None:
    value = settle(value)
    if isinstance(value, Unknown):
        call.open = True
    call.args.extend(iterate.items_for_loop(state, value))


def _double_star(state: State, call: Call, arg: ops.Arg, value: Value) -> None:
    entries = getattr(settle(value), "entries", None)
    if entries is None or getattr(settle(value), "rest", None) is not None:
        call.open = True
    for key, item in (entries or {}).items():
        if isinstance(key, str):
            call.keywords.setdefault(key, item)


ARGUMENTS = {
    "keyword": _keyword,
    "star": _star,
    "double-star": _double_star,
}


@handles(ops.MakeFunction)
def run_make_function(state: State, frame: Frame, op: ops.MakeFunction) -> None:
    at_module = frame.env is frame.scope.env
    env = None if at_module else frame.env
    if frame.function.kind == "class" and not at_module:
        env = frame.env.parent
        env = None if env is frame.scope.env else env
    defaults = {name: frame.registers[register] for name, register in op.defaults}
    frame.registers[op.out] = FunctionValue(op.function, env, frame.scope.file, defaults)


@handles(ops.MakeClass)
def run_make_class(state: State, frame: Frame, op: ops.MakeClass) -> None:
    bases = tuple(settle(frame.registers[register]) for register in op.bases)
    frame.registers[op.out] = construct.make_class(state, frame, op, bases)
