"""`obj.name`, by the kind of object: tensors, instances, classes, modules, libraries, unknowns."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast

from inplace_lint.domain.requires import Assumption
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    TRUE,
    Bound,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    ModuleValue,
    Number,
    Partial,
    Property,
    Super,
    TupleValue,
    Unknown,
    Wrapped,
    settle,
)
from inplace_lint.interp import acts, autograd, lookup, ownership, rows, scope, subscripts, unknowns
from inplace_lint.interp.dispatch import MODELS, Call
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk
from inplace_lint.opdb import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

PROPERTIES = frozenset("T mT H mH real imag data".split())
"""Attributes of a tensor that are ops of the table."""
SETTINGS = frozenset(
    "shape dtype device ndim layout is_cuda is_sparse is_leaf names itemsize".split()
)

SHARED_NAMES = frozenset(
    "copy index count sort pop append extend insert remove clear keys values items get "
    "update train eval apply zero_grad step split format strip lower upper replace add "
    "size parameters state_dict type register_forward_hook load_state_dict children "
    "modules named_parameters buffers is_floating_point numpy tolist data map name t "
    "names real imag T indices all any close write read sum_of H float half double to "
    "cuda cpu bfloat16 requires_grad_ share_memory_".split()
)
"""Method names that a Tensor shares with other common objects: no evidence of a tensor."""


DICT_NAMES = frozenset("keys values items get update pop copy clear indices".split())
"""The same for what a call on tensors returned: a dict, a named tuple or a tensor."""


def get(state: State, obj: Value, name: str) -> Value:
    """`obj.name`; `obj` is settled."""
    return GETTERS.get(type(obj), _other)(state, obj, name)


def put(state: State, obj: Value, name: str, value: Value) -> None:
    """`obj.name = value`"""
    if isinstance(obj, Tensor):
        _put_tensor(state, obj, name, settle(value))
    elif isinstance(obj, Instance):
        _put_instance(state, obj, name, value)
    elif isinstance(obj, Unknown):
        _put_unknown(state, obj, name, value)
    elif isinstance(obj, (ClassValue, FunctionValue)):
        obj.attrs[name] = value


# ---- tensors -------------------------------------------------------------------------------


def _tensor(state: State, obj: Tensor, name: str) -> Value:
    if name in obj.attrs:
        return obj.attrs[name]
    if name == "grad":
        return _grad(state, obj)
    if name == "requires_grad":
        return _flag(state, obj)
    if name == "is_leaf" and not obj.made_up:
        return _is_leaf(state, obj)
    if name in SETTINGS:
        return Number(f"value:{state.next()}", "dtype" if name == "dtype" else "")
    if name in PROPERTIES:
        return rows.row(state, f"Tensor.{name}", f".{name}", Call([obj]))
    if is_tensor_name(name):
        return Bound(External(f"torch.Tensor.{name}"), obj)
    if obj.made_up and not name.startswith("__"):
        obj.doubt = obj.doubt or unknowns.doubt_tensor(obj.name)
    return Unknown(f"value:{state.next()}", "attribute", name)


def is_tensor_name(name: str) -> bool:
    """Whether torch.Tensor has a method of this name."""
    path = f"Tensor.{name}"
    return path in MODELS or bool(resolve.find(path))


def _grad(state: State, obj: Tensor) -> Value:
    """`.grad`: what backward left, or an unknown of the past for a tensor made elsewhere."""
    if obj.grad is not None:
        return obj.grad
    if obj.role != "plain" or not obj.made_up:
        grad = autograd.fresh(state, [obj], "grad")
        grad.doubt = None
        return grad
    return Unknown(f"value:{state.next()}", "data", "grad")


def _flag(state: State, obj: Tensor) -> Value:
    """`.requires_grad`; where it is asked for and is false, the tensor has no graph."""
    requires = autograd.requires_of(obj)
    if isinstance(requires, bool):
        return Const(requires)
    return Number(
        f"requires_grad:{obj.name or state.next()}", "bool", fact=without_grad(state, obj)
    )


def _is_leaf(state: State, obj: Tensor) -> Value:
    """`.is_leaf`; asking for it brings the graph of a view up to date."""
    requires = autograd.requires_of(obj)
    if not isinstance(requires, bool):
        return Number(f"is_leaf:{obj.name or state.next()}", "bool")
    return Const(not requires or autograd.grad_fn(state, obj) is None)


def without_grad(state: State, obj: Tensor) -> Callable[[bool], None]:
    """The fact that a tensor does not require grad where the condition is false."""

    def note(answer: bool) -> None:
        if answer:
            return
        requires = autograd.requires_of(obj)
        if not isinstance(requires, bool):
            state.refuted |= requires
        obj.requires, obj.node = False, None

    return note


def _put_tensor(state: State, obj: Tensor, name: str, value: Value) -> None:
    if name == "data":
        _swap_data(state, obj, value)
    elif name == "grad":
        obj.grad = value if isinstance(value, Tensor) else None
    elif name == "requires_grad":
        known = value.value if isinstance(value, Const) else True
        if obj.node is None:
            obj.requires = bool(known)
    elif name in {"real", "imag"}:
        subscripts.write_tensor(state, obj, Const(...), value, augmented=False)
    else:
        obj.attrs[name] = value


def _swap_data(state: State, obj: Tensor, value: Value) -> None:
    """`t.data = v`: the very object shows other memory, and no counter moves."""
    if not isinstance(value, Tensor):
        value = autograd.fresh(state, [], "data")
    same = value.memory is obj.memory
    content = value.memory.content()
    obj.memory = value.memory
    if not same:
        autograd.write_silently(state, obj, ".data =", "data")
        obj.memory.writes[-1].puts = content


# ---- instances -----------------------------------------------------------------------------


def _instance(state: State, obj: Instance, name: str) -> Value:
    if name in obj.attrs:
        return obj.attrs[name]
    if name == "saved_tensors" and "<reader>" in obj.attrs:
        return acts.saved_tensors(state, obj)
    for cls in lookup.classes_of(obj):
        found = _in_class(state, obj, cls, name)
        if found is not None:
            return found
    if name == "__class__":
        return obj.cls
    if name == "__dict__":
        return DictValue(cast("dict[object, Value]", obj.attrs))
    fallback = lookup.find_method(obj, "__getattr__")
    if fallback is not None and not name.startswith("__"):
        return acts.call_method(state, obj, fallback, [Const(name)])
    return _missing(state, obj, name)


def _missing(state: State, obj: Instance, name: str) -> Value:
    """An attribute nobody set in view; a tensor that requires grad only where it is a module's."""
    key = f"self:{id_of(state, obj)}.{name}"
    data = unknowns.is_data_name(name) or not lookup.is_module_class(obj.cls)
    assume = None if data else Assumption("attribute", f"{obj.name or 'self'}.{name}")
    made = Unknown(key, "data" if data else "attribute", name, assume)
    obj.attrs[name] = made
    return made


def id_of(state: State, obj: Instance) -> str:
    """A name for an object in keys, the same on every path."""
    number = obj.attrs.get("<id>")
    if number is None:
        number = obj.attrs["<id>"] = Const(state.next())
    return str(number.value) if isinstance(number, Const) else ""


def _in_class(state: State, obj: Instance, cls: Value, name: str) -> Value | None:
    if isinstance(cls, ClassValue):
        found = cls.attrs.get(name)
        if found is None:
            return None
        value = bind(state, found, obj)
        if isinstance(found, Property) and found.cached:
            obj.attrs[name] = value
        return value
    if isinstance(cls, External):
        return library_attribute(state, obj, cls, name)
    return None


def library_attribute(state: State, obj: Instance, cls: External, name: str) -> Value | None:
    """What a library class gives its instances under a name; None if it is not known."""
    return acts.library_attribute(state, obj, cls, name)


def bind(state: State, found: Value, obj: Value) -> Value:
    """What reading a class attribute through an instance gives."""
    if isinstance(found, (FunctionValue, Partial)):
        return Bound(found, obj)
    if isinstance(found, Property):
        return acts.call(state, found.getter, Call([obj]))
    if isinstance(found, Wrapped):
        if found.kind == "staticmethod":
            return found.func
        return Bound(found.func, obj.cls if isinstance(obj, Instance) else obj)
    return found


def _put_instance(state: State, obj: Instance, name: str, value: Value) -> None:
    for cls in lookup.classes_of(obj):
        found = cls.attrs.get(name) if isinstance(cls, ClassValue) else None
        if isinstance(found, Property) and found.setter is not None:
            acts.call(state, found.setter, Call([obj, value]))
            return
    own = lookup.find_method(obj, SETTER)
    if own is not None and not any(f.function.name == SETTER for f in state.frames[-1:]):
        acts.call(state, own, Call([obj, Const(name), value]))
        return
    store(state, obj, name, value)


SETTER = "__setattr__"


def store(state: State, obj: Instance, name: str, value: Value) -> None:
    """What object.__setattr__ does."""
    settled = settle(value)
    library = bool(state.frames) and state.frames[-1].scope.library
    if isinstance(settled, Tensor) and settled.name is None and not library:
        settled.name = f"self.{name}"
    if isinstance(settled, (Instance, Unknown)) and (not settled.name or settled.name[-1] == "]"):
        settled.name = name
    if obj.native is not None:
        ownership.replace_child(obj, name, value)
    obj.attrs[name] = value
    if has_setting(obj, name):
        obj.init[name] = value


def has_setting(obj: Instance, name: str) -> bool:
    """Whether it is an argument of the library class's constructor that modules keep: `inplace`."""
    return any(
        isinstance(c, External) and name in _settings(c.path) for c in lookup.classes_of(obj)
    )


@functools.cache
def _settings(path: str) -> frozenset[str]:
    rules = [rule for rule in resolve.find(resolve.canonical(path)) if rule.kind == "module"]
    return frozenset(param.name for rule in rules for param in rule.init)


# ---- classes, libraries, unknowns -----------------------------------------------------------


def _class(state: State, obj: ClassValue, name: str) -> Value:
    for cls in obj.mro:
        if isinstance(cls, ClassValue) and name in cls.attrs:
            found = cls.attrs[name]
            if isinstance(found, Wrapped):
                return found.func if found.kind == "staticmethod" else Bound(found.func, obj)
            return found
        if isinstance(cls, External):
            return Bound(External(f"{cls.path}.{name}"), obj)
    if name == "__name__":
        return Const(obj.name)
    return Unknown(f"value:{state.next()}", "attribute", name)


def _external(state: State, obj: External, name: str) -> Value:
    if obj.path == "torch" and name == "__version__":
        return Const(resolve.version())
    return scope.library_name(state, f"{obj.path}.{name}")


def _module(state: State, obj: ModuleValue, name: str) -> Value:
    return scope.module_attribute(state, obj, name)


def _super(state: State, obj: Super, name: str) -> Value:
    for cls in _behind(obj):
        if isinstance(cls, ClassValue) and name in cls.attrs:
            return bind(state, cls.attrs[name], obj.receiver)
        if isinstance(cls, External):
            return Bound(External(f"{cls.path}.{name}"), obj.receiver)
    return Bound(External(f"builtins.object.{name}"), obj.receiver)


def _behind(obj: Super) -> Iterator[Value]:
    classes = list(lookup.classes_of(obj.receiver))
    after = classes.index(obj.owner) + 1 if obj.owner in classes else 0
    return iter(classes[after:])


def _unknown(state: State, obj: Unknown, name: str) -> Value:
    if name in obj.attrs:
        return obj.attrs[name]
    common = DICT_NAMES if obj.operands else SHARED_NAMES
    if name not in common and is_tensor_name(name) and obj.origin != "module":
        if name in MOMENTS and not _is_called(state):
            return unknowns.attribute(state, obj, name)
        return Bound(External(f"torch.Tensor.{name}"), obj)
    if name in {"data", "T", "real", "imag"} and obj.operands:
        return _tensor(state, unknowns.become_tensor(state, obj), name)
    if name in SHARED_METHODS:
        return Bound(External(f"unknown.{name}"), obj)
    if name == "param_groups":
        obj.attrs[name] = MODELS["unknown.param_groups"](state, Call([obj])) or obj
        return obj.attrs[name]
    return unknowns.attribute(state, obj, name)


MOMENTS = frozenset({"mean", "mode", "var", "std", "logits", "min", "max", "median"})
"""Methods of tensors that are values of a distribution, or of some other result."""


def _is_called(state: State) -> bool:
    """Whether the attribute that is being read is read to be called."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or not isinstance(frame.op, ops.GetAttr):
        return True
    return frame.op.out in _callees(frame.function)


@functools.lru_cache(maxsize=256)
def _callees(function: Function) -> frozenset[int]:
    """The registers that a function calls."""
    return frozenset(op.func for op in walk(function.body) if isinstance(op, ops.Call))


SHARED_METHODS = frozenset(
    "to cuda cpu float half double bfloat16 requires_grad_ train eval parameters named_parameters "
    "zero_grad step state_dict load_state_dict apply modules children buffers size numpy items "
    "values keys get copy pop append forward".split()
)
"""Methods of unknown objects that have a model ("unknown.NAME") whatever the object is."""


def _function(state: State, obj: FunctionValue, name: str) -> Value:
    if name == "__name__":
        return Const(obj.function.name)
    if name == "__wrapped__":
        return obj
    return obj.attrs.get(name) or Unknown(f"value:{state.next()}", "attribute", name)


def _tuple(state: State, obj: TupleValue, name: str) -> Value:
    if name in obj.fields:
        return obj.items[obj.fields.index(name)]
    return Bound(External(f"tuple.{name}"), obj)


def _list(state: State, obj: ListValue, name: str) -> Value:
    return Bound(External(f"list.{name}"), obj)


def _dict(state: State, obj: DictValue, name: str) -> Value:
    known = obj.entries.get(name)
    if known is not None and f"dict.{name}" not in MODELS:
        return known
    return Bound(External(f"dict.{name}"), obj)


def _const(state: State, obj: Const, name: str) -> Value:
    if isinstance(obj.value, str):
        return Bound(External(f"str.{name}"), obj)
    if obj.value is None:
        return Unknown(f"value:{state.next()}", "data")
    return Number(f"value:{state.next()}")


def _number(state: State, obj: Number, name: str) -> Value:
    return Number(f"{obj.key}.{name}"[:80])


def _bound(state: State, obj: Bound, name: str) -> Value:
    if name == "__self__":
        return obj.receiver
    if name == "__func__":
        return obj.func
    return get(state, obj.func, name) if name == "__name__" else Unknown(f"value:{state.next()}")


def _other(state: State, obj: Value, name: str) -> Value:
    return Unknown(f"value:{state.next()}", "attribute", name)


def _property(state: State, obj: Property, name: str) -> Value:
    """`@x.setter`, `@x.getter`"""
    from inplace_lint.domain.values import Native

    if name == "setter":
        return Native("setter", lambda _state, call: Property(obj.getter, call.args[0]))
    return Native(name, lambda _state, call: call.args[0])


GETTERS: dict[type, Callable[[State, Any, str], Value]] = {
    Tensor: _tensor,
    Instance: _instance,
    ClassValue: _class,
    External: _external,
    ModuleValue: _module,
    Super: _super,
    Unknown: _unknown,
    FunctionValue: _function,
    TupleValue: _tuple,
    ListValue: _list,
    DictValue: _dict,
    Const: _const,
    Number: _number,
    Bound: _bound,
    Property: _property,
}


def _put_unknown(state: State, obj: Unknown, name: str, value: Value) -> None:
    if name == "data" and isinstance(settle(value), (Tensor, Unknown)) and obj.origin != "module":
        _swap_data(state, unknowns.become_tensor(state, obj), settle(value))
    elif name == "requires_grad" and settle(value) is not TRUE and obj.origin == "argument":
        obj.assume, obj.origin = None, "data"
    obj.attrs[name] = value
