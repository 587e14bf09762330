"""What a module owns: submodules, parameters and buffers, under the names PyTorch gives them."""

from __future__ import annotations

from inplace_lint.domain.requires import Assumption, Requires
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    DictValue,
    External,
    Instance,
    ListValue,
    Unknown,
    Value,
    settle,
)
from inplace_lint.interp import autograd, findings, lookup
from inplace_lint.interp.state import State


def own_tensor(state: State, obj: Instance, name: str, role: str) -> Tensor:
    """A parameter or buffer of a library module."""
    return Tensor(
        requires=role == "parameter",
        made=state.here(),
        maker="nn.Parameter" if role == "parameter" else "buffer",
        role=role,
        dtype="int" if name == "num_batches_tracked" else "float",
        made_up=obj.made_up,
        name=f"{obj.name}.{name}" if obj.name else name,
    )


def children(obj: Value) -> list[tuple[str, Value]]:
    """The submodules of a module, by attribute name."""
    obj = settle(obj)
    if not isinstance(obj, Instance):
        return []
    found = native_children(obj)
    listed = {id(child) for _, child in found}
    for name, value in obj.attrs.items():
        value = settle(value)
        if is_module(value) and id(value) not in listed:
            found.append((name, value))
    return found


def native_children(obj: Instance) -> list[tuple[str, Value]]:
    """What a Sequential, ModuleList, ModuleDict ... holds, by name: a given one or the position."""
    native = obj.native
    if isinstance(native, ListValue):
        given = {id(settle(v)): k for k, v in obj.attrs.items() if is_module(settle(v))}
        items = [settle(v) for v in native.items]
        return [(given.get(id(item), str(n)), item) for n, item in enumerate(items)]
    entries = getattr(native, "entries", None)
    if isinstance(entries, dict):
        return [(str(k), settle(v)) for k, v in entries.items()]
    return []


def replace_child(obj: Instance, name: str, value: Value) -> None:
    """`setattr(sequential, "1", other)`: the child of that name is another one from now on."""
    for position, (child, _) in enumerate(native_children(obj)):
        if child == name and isinstance(obj.native, ListValue):
            obj.native.items[position] = value
        elif child == name and isinstance(obj.native, DictValue):
            obj.native.entries[name] = value


def is_module(value: Value) -> bool:
    """Whether a value is a module object."""
    if isinstance(value, Instance):
        return lookup.is_module_class(value.cls)
    return isinstance(value, Unknown) and value.origin == "module"


def modules(obj: Value, seen: set[int] | None = None) -> list[Value]:
    """A module and all its descendants, each once."""
    seen = set() if seen is None else seen
    obj = settle(obj)
    if id(obj) in seen:
        return []
    seen.add(id(obj))
    return [obj, *(m for _, child in children(obj) for m in modules(child, seen))]


def named_modules(obj: Value) -> dict[str, Value]:
    """A module and all its descendants by dotted path, each once."""
    found: dict[str, Value] = {}
    seen: set[int] = set()
    pending = [("", settle(obj))]
    while pending:
        path, module = pending.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        found[path] = module
        inner = [(f"{path}.{name}" if path else name, child) for name, child in children(module)]
        pending += reversed(inner)
    return found


def named(obj: Value, role: str = "parameter") -> dict[str, Tensor]:
    """The parameters (or buffers) of a module by dotted name, each once."""
    found: dict[str, Tensor] = {}
    seen: set[int] = set()
    for path, module in named_modules(obj).items():
        for name, value in tensors_of(module):
            if value.role == role and id(value) not in seen:
                seen.add(id(value))
                found[f"{path}.{name}" if path else name] = value
    return found


def owned(obj: Value, role: str = "parameter") -> list[Tensor]:
    """The parameters (or buffers) of a module, its descendants included."""
    return list(named(obj, role).values())


def tensors_of(module: Value) -> list[tuple[str, Tensor]]:
    """A module's own tensors; also the items of ParameterList and ParameterDict."""
    attrs = getattr(module, "attrs", {})
    pairs = (
        [*attrs.items(), *native_children(module)]
        if isinstance(module, Instance)
        else attrs.items()
    )
    settled = ((name.strip("<>"), settle(value)) for name, value in pairs)
    return [(name, value) for name, value in settled if isinstance(value, Tensor)]


def trained_weight(state: State, name: str, requires: bool = True) -> Tensor:
    """The weight of a module that is not in view: trained, by assumption."""
    assume = frozenset({Assumption("weights", name)}) if requires else False
    return Tensor(
        requires=assume,
        made=state.here(),
        maker="nn.Parameter",
        role="parameter",
        dtype="float",
        made_up=True,
        name=f"{name}.weight",
    )


def leaf_alias(state: State, tensor: Tensor, role: str, requires: Requires = True) -> Tensor:
    """nn.Parameter(t), nn.Buffer(t): another object on the same storage and counter."""
    if tensor.inference and requires is True and not state.modes.inference:
        findings.inference_written(state, tensor, "nn.Parameter")
    made = autograd.alias(state, tensor, shares_counter=True)
    made.requires, made.role, made.name = requires, role, None
    made.maker = "nn.Parameter" if role == "parameter" else "buffer"
    made.made_up, made.doubt = tensor.made_up, None
    return made


def lists_parameters(obj: Instance) -> bool:
    """Whether it is a ParameterList or ParameterDict."""
    names = ("ParameterList", "ParameterDict")
    return isinstance(obj.cls, External) and obj.cls.path.endswith(names)


def kept(state: State, obj: Instance, item: Value) -> Value:
    """What a container of PyTorch's keeps of an item: lists of parameters wrap plain tensors."""
    value = settle(item)
    if lists_parameters(obj) and isinstance(value, Tensor) and value.role != "parameter":
        return leaf_alias(state, value, "parameter")
    return item
