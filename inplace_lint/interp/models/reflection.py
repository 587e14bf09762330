"""Builtins that ask about values: classes, attributes, `super()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Number,
    Partial,
    Super,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import attributes, lookup, unknowns
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.interp.state import State


CALLABLE = (FunctionValue, Bound, External, ClassValue, Partial)


@model("builtins.super")
def super_(state: State, call: Call) -> Value:
    """super() of the running method, or super(cls, obj)."""
    if len(call.args) >= 2:
        cls, obj = settle(call.args[0]), settle(call.args[1])
        if isinstance(cls, ClassValue):
            return Super(cls, obj)
    for frame in reversed(state.frames):
        if frame.owner is not None and frame.receiver is not None:
            return Super(frame.owner, frame.receiver)
    return Unknown(f"value:{state.next()}")


@model("builtins.isinstance")
def isinstance_(state: State, call: Call) -> Value:
    """Decided where the class is in view; otherwise a symbol of value and class."""
    if len(call.args) < 2:
        return Number(f"value:{state.next()}", "bool")
    value, cls = settle(call.args[0]), settle(call.args[1])
    classes = cls.items if isinstance(cls, (TupleValue, ListValue)) else (cls,)
    answers = [_is_instance(value, settle(one)) for one in classes]
    if True in answers:
        return TRUE
    if None not in answers:
        return FALSE
    if not isinstance(value, (Unknown, Number)):
        return Number(f"value:{state.next()}", "bool")
    shown = ",".join(getattr(settle(c), "path", getattr(settle(c), "name", "?")) for c in classes)
    fact = _becomes(state, value, classes) if isinstance(value, Unknown) else None
    usual = False if isinstance(value, Number) and all(map(_is_container_class, classes)) else None
    return Number(f"isinstance({value.key},{shown})", "bool", usual, fact)


def _is_container_class(value: Value) -> bool:
    """Whether a class is one of lists and the like, which a number is taken not to be."""
    path = getattr(settle(value), "path", "").removeprefix("builtins.")
    return path in CONTAINERS or path.startswith(("collections.", "typing."))


@model("torch.is_tensor")
def is_tensor(state: State, call: Call) -> Value:
    return isinstance_(state, Call([*call.args, External("torch.Tensor")]))


SCALARS = frozenset("int float bool str complex".split())


def _becomes(
    state: State, value: Unknown, classes: tuple[Value, ...] | list[Value]
) -> Callable[[bool], None] | None:
    """Where an isinstance test holds, the value is a tensor, or a number."""
    paths = [getattr(settle(one), "path", "") for one in classes]
    tensor = all(path == "torch.Tensor" for path in paths)
    scalar = all(path.removeprefix("builtins.") in SCALARS for path in paths)

    def note(answer: bool) -> None:
        if value.become is not None or not answer:
            return
        if tensor:
            unknowns.become_tensor(state, value)
        elif scalar:
            value.become = Number(value.key)

    return note if tensor or scalar else None


CONTAINERS = frozenset("list tuple dict set".split())
TYPES: dict[str, type] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "list": ListValue,
    "tuple": TupleValue,
    "dict": DictValue,
    "set": ListValue,
}


def _is_instance(value: Value, cls: Value) -> bool | None:
    if isinstance(value, Unknown):
        return None
    path = cls.path if isinstance(cls, External) else ""
    if isinstance(value, Tensor):
        tensor = path in {"torch.Tensor", "torch.nn.Parameter", "torch.nn.parameter.Parameter"}
        if path.endswith("Parameter"):
            return value.role == "parameter" or (None if value.made_up else False)
        return tensor
    name = path.removeprefix("builtins.")
    if isinstance(value, Const):
        return (
            isinstance(value.value, TYPES[name])
            if name in {"int", "float", "str", "bool"}
            else False
        )
    if isinstance(value, Number):
        return (
            None
            if name in TYPES or path.startswith(("numbers.", "numpy", "typing", "collections"))
            else False
        )
    if isinstance(value, (ListValue, TupleValue, DictValue)):
        return _is_container(value, name, path)
    if isinstance(value, Instance):
        return _has_class(value, cls)
    if isinstance(value, CALLABLE):
        return None if "Callable" in path or "Function" in path else False
    return None


ORDERED = frozenset({"list", "range", "deque"})


def _is_container(value: Value, name: str, path: str) -> bool:
    kind = TYPES.get(name)
    if kind is ListValue and isinstance(value, ListValue):
        return (value.kind == "set") == (name == "set")
    if kind is not None:
        return isinstance(value, kind)
    last = path.rpartition(".")[2]
    if last in {"Sequence", "MutableSequence"}:
        return isinstance(value, TupleValue) or getattr(value, "kind", "") in ORDERED
    if last in {"Mapping", "MutableMapping"}:
        return isinstance(value, DictValue)
    return last in {"Iterable", "Collection", "Sized", "Container"}


def _has_class(value: Instance, cls: Value) -> bool | None:
    classes = lookup.classes_of(value)
    for one in classes:
        if one is cls:
            return True
        if isinstance(one, External) and isinstance(cls, External):
            if _last(one) == _last(cls):
                return True
            if _last(cls) == "Module" and one.path.startswith("torch.nn"):
                return True
    foreign = any(isinstance(one, (External, Unknown)) for one in classes)
    known = all(not isinstance(one, External) or one.path.startswith("torch.") for one in classes)
    return False if isinstance(cls, (ClassValue, External)) and (known or not foreign) else None


def _last(cls: External) -> str:
    return cls.path.rpartition(".")[2]


@model("builtins.type")
def type_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Tensor):
        return External("torch.Tensor")
    kind = _container(value)
    return External(f"builtins.{kind}") if kind else Unknown(f"value:{state.next()}")


def _container(value: Value) -> str:
    if isinstance(value, ListValue):
        return value.kind if value.kind in {"list", "set"} else ""
    if isinstance(value, TupleValue):
        return "" if value.fields or value.owner is not None else "tuple"
    return "dict" if isinstance(value, DictValue) and value.factory is None else ""


@model("builtins.issubclass")
def issubclass_(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}", "bool")


@model("builtins.callable")
def callable_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (*CALLABLE, Partial)):
        return TRUE
    if isinstance(value, (Const, Number, ListValue, DictValue, TupleValue, Tensor)):
        return FALSE
    return Number(
        f"callable:{value.key}" if isinstance(value, Unknown) else f"value:{state.next()}", "bool"
    )


@model("builtins.getattr")
def getattr_(state: State, call: Call) -> Value:
    obj, name = settle(call.args[0]), literal(call.args[1]) if len(call.args) > 1 else None
    if not isinstance(name, str):
        return Unknown(f"value:{state.next()}", "attribute")
    if len(call.args) > 2 and isinstance(obj, Instance) and not has_attribute(obj, name):
        return call.args[2]
    return attributes.get(state, obj, name)


def has_attribute(obj: Instance, name: str) -> bool:
    """Whether an object in view surely has it."""
    if name in obj.attrs or attributes.has_setting(obj, name):
        return True
    return any(isinstance(c, ClassValue) and name in c.attrs for c in lookup.classes_of(obj))


@model("builtins.hasattr")
def hasattr_(state: State, call: Call) -> Value:
    obj, name = settle(call.args[0]), literal(call.args[1]) if len(call.args) > 1 else None
    if isinstance(obj, Instance) and isinstance(name, str):
        if has_attribute(obj, name):
            return TRUE
        ours = all(isinstance(c, ClassValue) or _is_torch(c) for c in lookup.classes_of(obj))
        return FALSE if ours and not obj.made_up else Number(f"hasattr:{name}", "bool")
    key = f"hasattr:{obj.key}.{name}" if isinstance(obj, Unknown) else f"value:{state.next()}"
    return Number(key, "bool")


def _is_torch(cls: Value) -> bool:
    return isinstance(cls, External) and cls.path.startswith(("torch.", "builtins."))


@model("builtins.setattr")
def setattr_(state: State, call: Call) -> Value:
    if len(call.args) == 3:
        name = literal(call.args[1])
        if isinstance(name, str):
            attributes.put(state, settle(call.args[0]), name, call.args[2])
    return NONE
