"""What a module holds, by name: `_modules`, `_parameters`, `get_submodule()`, `sequential.0`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    DictValue,
    Instance,
    Unknown,
    Value,
    literal,
)
from inplace_lint.interp import attributes, ownership
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inplace_lint.interp.state import State


class Registry(dict[object, Value]):
    """The entries of `module._modules` and its like: what is put in is the module's."""

    def __init__(self, state: State, owner: Instance, held: Mapping[str, Value]) -> None:
        super().__init__((name, value) for name, value in held.items())
        self.state, self.owner = state, owner

    def __setitem__(self, name: object, value: Value) -> None:
        super().__setitem__(name, value)
        attributes.put(self.state, self.owner, str(name), value)


def _own(obj: Instance, role: str) -> dict[str, Value]:
    return {name: value for name, value in ownership.tensors_of(obj) if value.role == role}


REGISTRIES: dict[str, Callable[[Instance], Mapping[str, Value]]] = {
    "_modules": lambda obj: dict(ownership.children(obj)),
    "_parameters": lambda obj: _own(obj, "parameter"),
    "_buffers": lambda obj: _own(obj, "buffer"),
}


def attribute(state: State, obj: Instance, name: str) -> Value | None:
    """A registry of a module, or a child that goes by its position or key."""
    held = REGISTRIES.get(name)
    if held is not None:
        return DictValue(Registry(state, obj, held(obj)))
    if isinstance(obj.native, DictValue) or name.isdecimal():
        return dict(ownership.native_children(obj)).get(name)
    return None


def _by_path(state: State, call: Call, found: Mapping[str, Value]) -> Value:
    path = literal(call.args[1]) if len(call.args) > 1 else None
    known = found.get(path) if isinstance(path, str) else None
    return known if known is not None else Unknown(f"value:{state.next()}")


@model("nn.Module.get_submodule")
def get_submodule(state: State, call: Call) -> Value:
    return _by_path(state, call, ownership.named_modules(call.args[0]))


@model("nn.Module.get_parameter")
def get_parameter(state: State, call: Call) -> Value:
    return _by_path(state, call, ownership.named(call.args[0]))


@model("nn.Module.get_buffer")
def get_buffer(state: State, call: Call) -> Value:
    return _by_path(state, call, ownership.named(call.args[0], "buffer"))
