"""Classes of plain data: dataclasses, named tuples, namespaces, subclasses of list and dict."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    ClassValue,
    DictValue,
    External,
    Instance,
    ListValue,
    Native,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import attributes, calls, construct, iterate
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


# ---- dataclasses ---------------------------------------------------------------------------


@model(
    "dataclasses.dataclass",
    "attr.s",
    "attr.attrs",
    "attrs.define",
    "attrs.frozen",
    "attr.dataclass",
    "flax.struct.dataclass",
    "pydantic.dataclasses.dataclass",
    "chex.dataclass",
)
def dataclass(state: State, call: Call) -> Value:
    """`__init__` from the annotated names of the class body."""

    def mark(_state: State, inner: Call) -> Value:
        cls = settle(inner.args[0])
        if isinstance(cls, ClassValue):
            names = tuple(param.name for param in cls.function.params)
            cls.attrs["<fields>"] = TupleValue((), names)
        return cls

    return mark(state, call) if call.args else Native("dataclass", mark)


@model("dataclasses.field", "attr.ib", "attr.field", "attrs.field", "pydantic.Field")
def field(state: State, call: Call) -> Value:
    if "default" in call.keywords:
        return call.keywords["default"]
    init = dict(call.keywords)
    if "factory" in init:
        init["default_factory"] = init["factory"]
    return Instance(External("dataclasses.Field"), init=init)


@model("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve")
def replace(state: State, call: Call) -> Value:
    """Another object with some fields exchanged."""
    obj = settle(call.args[0]) if call.args else NONE
    if not isinstance(obj, Instance):
        return Unknown(f"value:{state.next()}")
    attrs = {name: value for name, value in obj.attrs.items() if name != "<id>"}
    return dataclasses.replace(obj, attrs={**attrs, **call.keywords})


@model("dataclasses.asdict", "attr.asdict", "attrs.asdict", "builtins.vars")
def fields_of(state: State, call: Call) -> Value:
    obj = settle(call.args[0]) if call.args else NONE
    return attributes.get(state, obj, "__dict__")


@model("dataclasses.astuple", "attr.astuple")
def astuple(state: State, call: Call) -> Value:
    obj = settle(call.args[0]) if call.args else NONE
    return TupleValue(tuple(getattr(obj, "attrs", {}).values()))


# ---- named tuples --------------------------------------------------------------------------


@model("collections.namedtuple")
def namedtuple(state: State, call: Call) -> Value:
    """A class of its own, whose instances are tuples too."""
    given = call.get(1, "field_names")
    names = literal(given) if given is not None else NotImplemented
    if isinstance(names, str):
        names = tuple(names.replace(",", " ").split())
    if not isinstance(names, tuple) or not state.frames:
        return Unknown(f"value:{state.next()}")
    label = literal(call.args[0])
    attrs: dict[str, Value] = {"<fields>": TupleValue((), names)}
    attrs.update(_defaults(names, call.keywords.get("defaults")))
    frame = state.frames[-1]
    name = label if isinstance(label, str) else ""
    base = External(construct.NAMED_TUPLE)
    cls = ClassValue(name, (base,), attrs, frame.scope.file, frame.function)
    cls.mro = construct.linearise(cls)
    return cls


def _defaults(names: tuple[str, ...], given: Value | None) -> dict[str, Value]:
    """`defaults=` belong to the last fields."""
    values = settle(given) if given is not None else NONE
    items = list(values.items) if isinstance(values, (ListValue, TupleValue)) else []
    return dict(zip(names[len(names) - len(items) :], items, strict=False))


def _replaced(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if not isinstance(obj, Instance) or not isinstance(obj.cls, ClassValue):
        return Unknown(f"value:{state.next()}")
    return construct.instantiate(state, obj.cls, Call([], {**_named(obj), **call.keywords}))


def _named(obj: Instance) -> dict[str, Value]:
    native = obj.native
    fields = native.fields if isinstance(native, TupleValue) else ()
    return {name: obj.attrs[name] for name in fields if name in obj.attrs}


@model("typing.NamedTuple._replace")
def named_replace(state: State, call: Call) -> Value:
    return _replaced(state, call)


@model("typing.NamedTuple._asdict")
def named_asdict(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    made = DictValue()
    if isinstance(obj, Instance):
        made.entries.update(_named(obj))
    return made


# ---- namespaces, subclasses of containers ---------------------------------------------------


@model("types.SimpleNamespace", "argparse.Namespace")
def namespace(state: State, call: Call) -> Value:
    return Instance(External("types.SimpleNamespace"), attrs=dict(call.keywords))


@model("easydict.EasyDict", "addict.Dict", "ml_collections.ConfigDict", "munch.Munch")
def attribute_dict(state: State, call: Call) -> Value:
    """Entries that are attributes too."""
    made = settle(calls.call_path(state, "builtins.dict", call))
    entries = made.entries if isinstance(made, DictValue) else {}
    attrs = {key: value for key, value in entries.items() if isinstance(key, str)}
    return Instance(External("types.SimpleNamespace"), attrs=attrs, native=made)


@model("builtins.list.__init__", "collections.UserList.__init__", "collections.deque.__init__")
def init_list(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance):
        given = settle(call.args[1]) if len(call.args) > 1 else ListValue()
        obj.native = ListValue(list(iterate.items_for_loop(state, given)))
    return NONE


@model(
    "builtins.dict.__init__",
    "collections.OrderedDict.__init__",
    "collections.UserDict.__init__",
)
def init_dict(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance):
        given = Call(call.args[1:], call.keywords, call.open)
        obj.native = calls.call_path(state, "builtins.dict", given)
    return NONE
