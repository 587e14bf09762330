"""Copies: of tensors, of containers, of whole modules."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    DictValue,
    Instance,
    ListValue,
    TupleValue,
    Unknown,
    Value,
    settle,
)
from inplace_lint.interp import autograd
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


def deep(state: State, value: Value, memo: dict[int, Value]) -> Value:
    """A copy in which tensors have memory of their own, shared references staying shared."""
    value = settle(value)
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, Tensor):
        memo[id(value)] = _tensor(state, value)
    elif isinstance(value, ListValue):
        made = ListValue([], None, value.kind)
        memo[id(value)] = made
        made.items = [deep(state, item, memo) for item in value.items]
    elif isinstance(value, TupleValue):
        memo[id(value)] = TupleValue(tuple(deep(state, i, memo) for i in value.items), value.fields)
    elif isinstance(value, DictValue):
        entries = DictValue({}, value.rest)
        memo[id(value)] = entries
        entries.entries = {key: deep(state, item, memo) for key, item in value.entries.items()}
    elif isinstance(value, Instance):
        memo[id(value)] = _instance(state, value, memo)
    elif isinstance(value, Unknown):
        other = Unknown(
            f"value:{state.next()}", value.origin, value.name, value.assume, doubt=value.doubt
        )
        memo[id(value)] = other
        other.attrs = {name: deep(state, item, memo) for name, item in value.attrs.items()}
    return memo.get(id(value), value)


def _tensor(state: State, tensor: Tensor) -> Tensor:
    made = autograd.fresh(state, [tensor], "deepcopy")
    made.memory.copied = tensor.memory.content() if tensor.base is None else None
    made.role, made.name, made.made_up = tensor.role, tensor.name, tensor.made_up
    made.requires = tensor.requires if tensor.node is None else False
    return made


def _instance(state: State, obj: Instance, memo: dict[int, Value]) -> Instance:
    made = dataclasses.replace(obj, attrs={}, init=dict(obj.init))
    memo[id(obj)] = made
    for name, value in obj.attrs.items():
        if name != "<id>":
            made.attrs[name] = deep(state, value, memo)
    if isinstance(obj.native, (ListValue, DictValue)):
        made.native = deep(state, obj.native, memo)
    return made


@model("copy.deepcopy")
def deepcopy(state: State, call: Call) -> Value:
    """A copy of everything; tensors get memory of their own."""
    return deep(state, call.args[0], {}) if call.args else NONE


@model("copy.copy")
def copy(state: State, call: Call) -> Value:
    """Shallow: a tensor's copy shares memory, with a counter of its own."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        made = autograd.alias(state, value, shares_counter=False)
        made.requires, made.inference = autograd.requires_of(value), False
        return made
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.rest, value.kind)
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.rest)
    if isinstance(value, Instance):
        attrs = {name: item for name, item in value.attrs.items() if name != "<id>"}
        return dataclasses.replace(value, attrs=attrs, init=dict(value.init))
    return value
