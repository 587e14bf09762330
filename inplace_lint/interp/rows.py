"""Calls that are rows of the table: the overload that fits, its arguments bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import TupleValue, Unknown, settle
from inplace_lint.interp import containers, modes, transfer, unknowns
from inplace_lint.interp.operation import Operation
from inplace_lint.interp.shapes import shape_of
from inplace_lint.opdb import resolve

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import State


def row(state: State, api: str, label: str, call: Call) -> Value:
    """Apply the row of the table that fits the arguments."""
    args = [settle(arg) for arg in call.args]
    keywords = {name: settle(value) for name, value in call.keywords.items()}
    out = keywords.pop("out", None)
    if api.startswith("Tensor.") and args and isinstance(args[0], Unknown):
        args[0] = unknowns.become_tensor(state, args[0])
    shapes = tuple([(name, shape_of(value)) for name, value in keywords.items()])
    found = resolve.chosen(api, tuple(map(shape_of, args)), shapes)
    if found is None:
        return unknowns.result(state, label, tensors(call))
    rule, binding = found
    bound = gather(binding, args, keywords)
    target = out if isinstance(out, Tensor) else None
    before = modes.enter(state, ("no_grad",) if api.startswith("init.") else ())
    try:
        return transfer.apply(state, Operation(rule, bound, label=label, out=target))
    finally:
        state.modes = before


def gather(
    binding: dict[str, resolve.Binding],
    args: list[Value],
    keywords: dict[str, Value],
) -> dict[str, Value]:
    """The values a binding means."""
    bound: dict[str, Value] = {}
    for name, where in binding.items():
        if isinstance(where, str):
            bound[name] = keywords[where]
        elif isinstance(where, int):
            bound[name] = args[where]
        else:
            bound[name] = TupleValue(tuple(args[i] for i in where))
    return bound


def tensors(call: Call) -> list[Tensor]:
    """Every tensor among the arguments, each once."""
    values = [*call.args, *call.keywords.values()]
    return list(dict.fromkeys(t for value in values for t in containers.tensors_in(value)))


def has_tensors(call: Call) -> bool:
    """Whether any argument is a tensor or may be one."""
    values = [settle(value) for value in [*call.args, *call.keywords.values()]]
    return any(isinstance(v, Unknown) and v.origin != "data" for v in values) or bool(tensors(call))
