"""torch._foreach_*: the op on each element of the lists; and kron, whose saves nobody counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.memory import Counter
from inplace_lint.domain.values import ListValue, TupleValue, settle
from inplace_lint.interp import autograd, calls, containers
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

NAMES = (
    "abs acos add addcdiv addcmul asin atan ceil clamp_max clamp_min copy cos cosh div erf erfc "
    "exp expm1 floor frac lerp lgamma log log10 log1p log2 max maximum minimum mul neg norm pow "
    "reciprocal round rsqrt sigmoid sign sin sinh sqrt sub tan tanh trunc zero"
).split()


def _foreach(name: str) -> None:
    @model(f"torch._foreach_{name}")
    def run(state: State, call: Call) -> Value | None:
        """None where no list is in view: the row of the table answers then."""
        args = [settle(arg) for arg in call.args]
        lists = [arg for arg in args if isinstance(arg, (ListValue, TupleValue))]
        if not lists:
            return None
        columns = [_column(state, arg, len(lists[0].items)) for arg in args]
        plain = args[0] is not lists[0]
        api = f"torch.{name}" if plain else f"Tensor.{name}"
        made = [
            calls.call_path(state, api, Call(list(row), call.keywords))
            for row in zip(*columns, strict=False)
        ]
        return ListValue(made)


def _column(state: State, arg: Value, count: int) -> list[Value]:
    """One argument for each element."""
    if isinstance(arg, (ListValue, TupleValue)):
        return containers.items_for_loop(state, arg)
    return [arg] * count


for _name in NAMES:
    _foreach(_name)
    _foreach(f"{_name}_")


@model("torch.kron", "Tensor.kron")
def kron(state: State, call: Call) -> Value:
    """Saves views that do not share the operands' counters: writes to these go unnoticed."""
    operands = containers.tensors_in(TupleValue(tuple(call.args)))
    made = autograd.fresh(state, operands, "kron")
    requires = autograd.any_requires(state, operands)
    if requires is False or len(operands) != 2:
        return made
    node = autograd.new_node(state, "kron", requires, operands)
    for operand, other in (operands, reversed(operands)):
        needs = autograd.requires_of(other)
        entry = autograd.save(state, node, operand, needs) if needs is not False else None
        if entry is not None:
            entry.counter, entry.version, entry.unseen = Counter(), 0, "kernel"
    made.node, made.requires = node, requires
    return made
