"""torch.func and torch.autograd.functional: the function runs on leaves of its own.

The arguments that are differentiated are fresh leaves inside; what the function saves is compared
when the transform differentiates its result, at once (or when vjp's function is called).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.story import Step
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    DictValue,
    ListValue,
    Native,
    TupleValue,
    literal,
    settle,
)
from inplace_lint.interp import autograd, backward, calls, containers
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

DEPTH = 3


def _leaves(state: State, value: Value, found: list[Tensor], depth: int = DEPTH) -> Value:
    """The argument with a leaf in the place of each tensor; containers are rebuilt."""
    value = settle(value)
    if isinstance(value, Tensor) and value.dtype not in autograd.WITHOUT_GRAD:
        leaf = autograd.alias(state, value, shares_counter=True)
        leaf.requires, leaf.made_up, leaf.doubt = True, value.made_up, value.doubt
        found.append(leaf)
        return leaf
    if depth and isinstance(value, (TupleValue, ListValue)):
        items = [_leaves(state, item, found, depth - 1) for item in value.items]
        return TupleValue(tuple(items)) if isinstance(value, TupleValue) else ListValue(items)
    if depth and isinstance(value, DictValue):
        entries = {k: _leaves(state, v, found, depth - 1) for k, v in value.entries.items()}
        return DictValue(entries, value.rest)
    return value


def _run(
    state: State, func: Value, call: Call, chosen: tuple[int, ...]
) -> tuple[Value, list[Tensor]]:
    """Call the function with grad mode on; its result and the leaves."""
    leaves: list[Tensor] = []
    args = [
        _leaves(state, arg, leaves) if position in chosen else arg
        for position, arg in enumerate(call.args)
    ]
    before = state.modes
    state.modes = dataclasses.replace(before, grad=not before.inference)
    try:
        return calls.call(state, func, Call(args, call.keywords, call.open)), leaves
    finally:
        state.modes = before


def _differentiate(state: State, result: Value, leaves: list[Tensor]) -> Value:
    """Walk back to the leaves; a gradient for each."""
    roots = containers.tensors_in(result)
    request = backward.Request(
        roots, Step(state.here()), retain=True, inputs=leaves, accumulate=False
    )
    backward.run(state, request)
    made = [autograd.fresh(state, [leaf], "grad") for leaf in leaves]
    return made[0] if len(made) == 1 else TupleValue(tuple(made))


def _numbers(value: Value | None, count: int) -> tuple[int, ...]:
    """`argnums`: which arguments are differentiated."""
    known = literal(value) if value is not None else 0
    if isinstance(known, int):
        return (known % count if count else 0,)
    return tuple(n for n in known if isinstance(n, int)) if isinstance(known, tuple) else (0,)


def _transform(name: str, with_value: bool) -> None:
    @model(f"torch.func.{name}", f"torch._functorch.apis.{name}", f"functorch.{name}")
    def build(state: State, call: Call) -> Value:
        if not call.args:
            return NONE
        func, asked = call.args[0], call.get(1, "argnums")

        def run(inner_state: State, inner: Call) -> Value:
            result, leaves = _run(inner_state, func, inner, _numbers(asked, len(inner.args)))
            grads = _differentiate(inner_state, result, leaves)
            return TupleValue((grads, result)) if with_value else grads

        return Native(name, run)


for _name in ("grad", "jacrev", "hessian"):
    _transform(_name, with_value=False)
_transform("grad_and_value", with_value=True)


@model("torch.func.vmap", "torch.vmap", "functorch.vmap")
def vmap(state: State, call: Call) -> Value:
    """The function itself, as far as reads and writes go."""
    return call.args[0] if call.args else NONE


@model("torch.func.vjp", "functorch.vjp")
def vjp(state: State, call: Call) -> Value:
    """Runs at once; the graph stays with the function it returns."""
    if not call.args:
        return NONE
    inner = Call(call.args[1:])
    result, leaves = _run(state, call.args[0], inner, tuple(range(len(inner.args))))
    pull = Native("vjp", lambda later, _call: _differentiate(later, result, leaves))
    return TupleValue((result, pull))


def _functional(name: str) -> None:
    @model(f"torch.autograd.functional.{name}")
    def run(state: State, call: Call) -> Value:
        """The inputs are views of leaves."""
        given = call.get(1, "inputs")
        if not call.args or given is None:
            return NONE
        leaves: list[Tensor] = []
        inputs = settle(_leaves(state, given, leaves))
        views = [autograd.view(state, leaf, "view_as") for leaf in leaves]
        args = views if isinstance(inputs, (TupleValue, ListValue)) else views[:1]
        result, _ = _run(state, call.args[0], Call(list(args)), ())
        return _differentiate(state, result, leaves)


for _name in ("jacobian", "hessian", "vjp", "hvp", "vhp"):
    _functional(_name)
