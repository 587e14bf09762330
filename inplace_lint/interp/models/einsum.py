"""torch.einsum: one operand permuted is a view of it; several are multiplied pair by pair.

A product saves an operand when another requires grad, unless merging its dimensions had to copy it
(sumproduct_pair in ATen's Linear.cpp): then nobody can see what was saved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.geometry import permute, rows
from inplace_lint.domain.requires import either
from inplace_lint.domain.values import TupleValue, literal
from inplace_lint.interp import autograd, containers, geometry
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.geometry import Geometry
    from inplace_lint.domain.requires import Requires
    from inplace_lint.domain.tensor import Node, Tensor
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


@model("torch.einsum")
def einsum(state: State, call: Call) -> Value | None:
    """By the letters of a literal equation; without one the table's row answers."""
    equation = literal(call.args[0]) if call.args else None
    operands = containers.tensors_in(TupleValue(tuple(call.args)))
    if not isinstance(equation, str):
        return None
    left, arrow, target = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow or len(terms) != len(operands) or "." in equation:
        return None
    if len(terms) == 1:
        return _of_one(state, operands[0], terms[0], target)
    made, node = _result(state, operands)
    geometry.give(made, _shown(terms, target, operands) if len(terms) == 2 else None)
    for position, operand in enumerate(operands):
        needs = _needs(operands, position)
        kept = _kept(terms, target, position) and _lies_so(operand, terms, target, position)
        if node is not None and needs is not False and kept:
            autograd.save(state, node, operand, needs)
    return made


def _of_one(state: State, operand: Tensor, source: str, target: str) -> Value:
    """Permuted, or its diagonal: a view. Summed: a new tensor, and nothing is saved."""
    if set(source) != set(target):
        return _result(state, [operand])[0]
    made = autograd.view(state, operand, "einsum")
    made.noncontig = made.noncontig or source != target
    if operand.geometry is not None and sorted(source) == sorted(target):
        order = tuple(map(source.index, target))
        geometry.give(made, permute(operand.geometry, order))
    return made


def _result(state: State, operands: list[Tensor]) -> tuple[Tensor, Node | None]:
    made = autograd.fresh(state, operands, "einsum")
    requires = autograd.any_requires(state, operands)
    if requires is False:
        return made, None
    made.node = autograd.new_node(state, "einsum", requires, operands)
    made.requires = requires
    return made, made.node


def _shown(terms: list[str], target: str, operands: list[Tensor]) -> Geometry | None:
    """The shape of a product, where its dimensions stay in the order they are computed in."""
    sizes: dict[str, int] = {}
    for term, operand in zip(terms, operands, strict=True):
        if operand.geometry is None or len(operand.geometry.shape) != len(term):
            return None
        sizes.update(zip(term, operand.geometry.shape, strict=True))
    shared, own, _ = _groups(terms, target, 0)
    computed = [*shared, *own, *_groups(terms, target, 1)[1]]
    return rows(tuple(sizes[c] for c in target)) if computed == list(target) else None


def _needs(operands: list[Tensor], position: int) -> Requires:
    """What it is multiplied with: the first with the second, a later one with all before."""
    others = [operands[1]] if position == 0 else operands[:position]
    return either(map(autograd.requires_of, others))


def _groups(terms: list[str], target: str, position: int) -> tuple[list[str], ...]:
    """The letters that a product merges into one dimension each: shared, its own, summed."""
    term = terms[position]
    other = "".join(terms[:position]) if position else terms[1]
    shared = [c for c in target if c in term and c in other]
    own = [c for c in target if c in term and c not in other]
    summed = [c for c in term if c in other and c not in target]
    return shared, own, summed


def _kept(terms: list[str], target: str, position: int) -> bool:
    """Whether the operand goes in as it is: letters that are merged stand side by side."""
    term = terms[position]
    groups = _groups(terms, target, position)
    if set(term) != set().union(*groups):
        return False
    return all("".join(group) in term for group in groups)


def _lies_so(operand: Tensor, terms: list[str], target: str, position: int) -> bool:
    """Whether its memory, too, lies so that letters merge without a copy: a slice's does not."""
    merged = ["".join(g) for g in _groups(terms, target, position) if len(g) > 1]
    if not merged:
        return True
    term, known = terms[position], operand.geometry
    if known is None or len(known.shape) != len(term):
        return not operand.noncontig
    starts = [(term.index(group), len(group)) for group in merged]
    pairs = [dim for start, length in starts for dim in range(start, start + length - 1)]
    return all(known.strides[dim] == known.strides[dim + 1] * known.shape[dim + 1] for dim in pairs)
