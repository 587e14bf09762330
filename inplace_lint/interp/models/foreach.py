"""torch._foreach_*: the op on each element of the lists; and kron, whose saves nobody counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.geometry import rows as row_major
from inplace_lint.domain.memory import Counter
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import ListValue, TupleValue, Unknown, settle
from inplace_lint.interp import autograd, containers, geometry, rows, saving, transfer, unknowns
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.operation import Operation, operands_of
from inplace_lint.interp.shapes import shape_of
from inplace_lint.opdb import resolve

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.opdb.model import OpRule

NAMES = (
    "abs acos add addcdiv addcmul asin atan ceil clamp_max clamp_min clone copy cos cosh div erf "
    "erfc exp expm1 floor frac lerp lgamma log log10 log1p log2 max maximum minimum mm mul neg "
    "norm pow powsum reciprocal round rsqrt sigmoid sign sin sinh sqrt sub tan tanh trunc zero"
).split()


RESHAPED = frozenset({"_foreach_max", "_foreach_mm", "_foreach_norm", "_foreach_powsum"})
"""Those whose results are not as large as the elements."""


def _foreach(name: str) -> None:
    path = f"torch._foreach_{name}"

    @model(path)
    def run(state: State, call: Call) -> Value | None:
        """None where no list is in view: the row of the table answers then."""
        args = [settle(arg) for arg in call.args]
        words = {word: settle(value) for word, value in call.keywords.items()}
        lists = [arg for arg in args if isinstance(arg, (ListValue, TupleValue))]
        shapes = {word: shape_of(value) for word, value in words.items()}
        rule = resolve.choose(resolve.find(path), [shape_of(arg) for arg in args], shapes)
        if not lists or rule is None:
            return None
        bound = rows.gather(resolve.bind(rule, len(args), words), args, words)
        label, count = f"_foreach_{name}", len(lists[0].items)
        items = [_items(state, rule, bound, position) for position in range(count)]
        whole = [Operation(rule, own, label=label) for own in items]
        return ListValue(_each(state, whole) if rule.mut else _at_once(state, whole))


def _each(state: State, operations: list[Operation]) -> list[Value]:
    """In place, each element has a node of its own."""
    made = map(settle, transfer.apply_all(state, operations))
    return [value.items[0] if isinstance(value, ListValue) else value for value in made]


def _at_once(state: State, operations: list[Operation]) -> list[Value]:
    """Out of place, one node keeps what all elements need."""
    operands = [t for operation in operations for t in operands_of(operation)]
    requires = autograd.any_requires(state, operands)
    label = operations[0].label if operations else ""
    node = autograd.new_node(state, label, requires, operands) if requires is not False else None
    made: list[Value] = []
    for operation in operations:
        result = autograd.fresh(state, operands_of(operation), label)
        made.append(result)
        if label not in RESHAPED:
            _shape(result, operation.bound.get("self"))
        if node is not None and any(operation.rule.diff):
            result.node, result.requires = node, node.requires
            saving.save(state, operation, node, [result])
    return made


def _shape(result: Tensor, element: Value | None) -> None:
    """As large as the element."""
    known = element.geometry if isinstance(element, Tensor) else None
    if known is not None and known.contiguous:
        geometry.give(result, row_major(known.shape))


def _items(state: State, rule: OpRule, bound: dict[str, Value], position: int) -> dict[str, Value]:
    """The arguments of the op on one element."""
    names = [param.name for param in rule.sig if param.name in bound]
    return {name: _element(state, bound[name], position) for name in names}


def _element(state: State, value: Value, position: int) -> Value:
    """What the op on one element gets: the item of a list, or the value for all."""
    if isinstance(value, (ListValue, TupleValue)) and position < len(value.items):
        value = settle(value.items[position])
    if isinstance(value, Unknown):
        return unknowns.become_tensor(state, value)
    return value


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
