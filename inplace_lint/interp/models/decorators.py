"""Decorators and what makes callables of callables: properties, partial, dataclasses."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    FunctionValue,
    Instance,
    Native,
    Partial,
    Property,
    Unknown,
    Value,
    Wrapped,
    settle,
)
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.models.reflection import CALLABLE

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


@model("builtins.staticmethod", "abc.abstractstaticmethod")
def wrapped(state: State, call: Call) -> Value:
    return Wrapped("staticmethod", call.args[0]) if call.args else NONE


@model("builtins.classmethod", "abc.abstractclassmethod")
def classmethod_(state: State, call: Call) -> Value:
    return Wrapped("classmethod", call.args[0]) if call.args else NONE


@model("builtins.property", "abc.abstractproperty")
def property_(state: State, call: Call) -> Value:
    setter = call.get(1, "fset")
    return Property(call.args[0], setter) if call.args else NONE


@model("functools.cached_property")
def cached_property(state: State, call: Call) -> Value:
    return Property(call.args[0], cached=True) if call.args else NONE


@model("functools.partial")
def partial(state: State, call: Call) -> Value:
    return Partial(call.args[0], tuple(call.args[1:]), dict(call.keywords)) if call.args else NONE


@model("functools.lru_cache", "functools.cache")
def cached(state: State, call: Call) -> Value:
    """A function that remembers its results, with or without arguments of the decorator's own."""
    func = settle(call.args[0]) if call.args else NONE
    if isinstance(func, FunctionValue):
        return dataclasses.replace(func, modes=("cached", *func.modes))
    return Native("lru_cache", cached) if not isinstance(func, Wrapped) else func


@model(
    "abc.abstractmethod",
    "typing.overload",
    "typing.final",
    "typing_extensions.override",
    "typing.override",
    "torch.jit.ignore",
    "torch.jit.export",
    "torch.jit.unused",
    "torch.jit.script",
    "torch.jit.script_method",
    "torch.compile",
    "torch.compiler.disable",
    "torch._dynamo.disable",
    "torch.fx.wrap",
    "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "torch.autograd.function.once_differentiable",
    "numba.jit",
)
def transparent(state: State, call: Call) -> Value:
    """Decorators that leave the function as it is, with or without arguments of their own."""
    values = [settle(arg) for arg in call.args]
    if values and isinstance(values[-1], (*CALLABLE, Wrapped, Instance, Unknown)):
        return values[-1]
    return Native("decorator", _first)


@model("typing.cast", "torch.jit.annotate", "torch.jit._unwrap_optional")
def same(state: State, call: Call) -> Value:
    """The value itself, which a type checker takes for another type."""
    return call.args[-1] if call.args else NONE


def _first(_state: State, call: Call) -> Value:
    """What a decorator is applied to."""
    return call.args[0] if call.args else NONE


@model("functools.wraps")
def wraps(state: State, call: Call) -> Value:
    return Native("wraps", _first)
