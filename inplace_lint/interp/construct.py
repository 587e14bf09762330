"""Classes and their instances: class bodies, method resolution order, `__init__`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    TRUE,
    ClassValue,
    Env,
    External,
    FunctionValue,
    Instance,
    Property,
    TupleValue,
    Unknown,
    Wrapped,
    settle,
)
from inplace_lint.interp import acts, lookup
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.state import Frame

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir import ops

NAMED_TUPLE = "typing.NamedTuple"


def make_class(
    state: State, frame: Frame, op: ops.MakeClass, bases: tuple[Value, ...]
) -> ClassValue:
    """Run a class body; its names are the attributes."""
    parent = None if frame.env is frame.scope.env else frame.env
    env = Env({}, parent)
    inner = Frame(op.body, env, frame.scope, [NONE] * op.body.registers)
    state.frames.append(inner)
    try:
        acts.run_body(state, inner, op.body.body)
    finally:
        state.frames.pop()
    cls = ClassValue(op.name, bases, env.names, frame.scope.file, op.body)
    cls.mro = linearise(cls)
    if any(isinstance(base, External) and base.path == NAMED_TUPLE for base in bases):
        env.names["<fields>"] = TupleValue((), tuple(param.name for param in op.body.params))
    for value in env.names.values():
        for function in _functions(value):
            function.owner = function.owner or cls
    return cls


def _functions(value: Value) -> list[FunctionValue]:
    if isinstance(value, FunctionValue):
        return [value]
    if isinstance(value, Wrapped):
        return _functions(value.func)
    if isinstance(value, Property):
        setter = _functions(value.setter) if value.setter is not None else []
        return [*_functions(value.getter), *setter]
    return []


def linearise(cls: ClassValue) -> tuple[Value, ...]:
    """The method resolution order: depth first, a class that comes again kept at its last place."""
    order: list[Value] = []
    for base in cls.bases:
        order += base.mro if isinstance(base, ClassValue) else [base]
    last: list[Value] = []
    for base in reversed(order):
        if not any(_same(base, other) for other in last):
            last.append(base)
    return (cls, *reversed(last))


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, External) and isinstance(other, External):
        return one.path == other.path
    return one is other


def instantiate(state: State, cls: ClassValue, call: Call) -> Value:
    """`cls(...)`"""
    obj = Instance(cls)
    if lookup.is_module_class(cls):
        obj.attrs["training"] = TRUE
    initialise(state, obj, call)
    return obj


def initialise(state: State, obj: Instance, call: Call) -> None:
    """Run the first `__init__` in method resolution order, ours or a library's."""
    for cls in lookup.classes_of(obj):
        if isinstance(cls, ClassValue):
            if "__init__" in cls.attrs:
                method = settle(cls.attrs["__init__"])
                acts.call(state, method, Call([obj, *call.args], call.keywords, call.open))
                return
            if "<fields>" in cls.attrs:
                _fields(state, obj, cls, call)
                return
        elif isinstance(cls, External):
            acts.initialise(state, obj, cls.path, call)
            return


def _fields(state: State, obj: Instance, cls: ClassValue, call: Call) -> None:
    """The `__init__` that a dataclass or NamedTuple gets from its annotated names."""
    names = _field_names(cls)
    for position, name in enumerate(names):
        value = call.get(position, name)
        if value is None:
            value = _default(state, lookup.find_in(cls, name), name)
        obj.attrs[name] = value
    if any(isinstance(base, External) and base.path == NAMED_TUPLE for base in cls.mro):
        obj.native = TupleValue(tuple(obj.attrs[name] for name in names), tuple(names))
    after = lookup.find_method(obj, "__post_init__")
    if after is not None:
        acts.call_method(state, obj, after, [])


def _default(state: State, found: Value | None, name: str) -> Value:
    if isinstance(found, Instance) and "default_factory" in found.init:
        return acts.call(state, found.init["default_factory"], Call([]))
    return found if found is not None else Unknown(f"value:{state.next()}", "argument", name)


def _field_names(cls: ClassValue) -> list[str]:
    names: list[str] = []
    for base in reversed(cls.mro):
        fields = base.attrs.get("<fields>") if isinstance(base, ClassValue) else None
        if isinstance(fields, TupleValue):
            names += [n for n in fields.fields if n not in names]
    return names
