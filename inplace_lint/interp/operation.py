"""One application of a row of the table: its arguments, and what the row's words mean there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import literal, settle
from inplace_lint.interp.containers import tensors_in
from inplace_lint.opdb.model import REQUIRED, UNKNOWN, Entity

if TYPE_CHECKING:
    from inplace_lint.domain.values import Instance, Value
    from inplace_lint.opdb.model import Entry, Known, OpRule


@dataclass(slots=True)
class Operation:
    """One application of a row: bound arguments, the module called (if any), the reader's word."""

    rule: OpRule
    bound: dict[str, Value]
    owner: Instance | None = None
    label: str = ""
    out: Tensor | None = None
    mutator: str = ""
    doubts: list[str] = field(default_factory=list)


COMPARED = frozenset(
    "hinge_embedding_loss cosine_embedding_loss nn.HingeEmbeddingLoss "
    "nn.CosineEmbeddingLoss".split()
)
"""Losses that only compare their target with 1 and -1: no gradient reaches it."""


def operands_of(operation: Operation) -> list[Tensor]:
    """The tensors that go in and have a gradient, a module's own included."""
    bound = operation.bound
    if operation.label in COMPARED:
        bound = {name: value for name, value in bound.items() if name != "target"}
    found = [t for value in bound.values() for t in tensors_in(value)]
    if operation.owner is not None:
        for entry in (*operation.rule.params, *operation.rule.buffers):
            found += _attribute(operation, entry.entity.name)
    return list(dict.fromkeys(found))


def _attribute(operation: Operation, name: str) -> list[Tensor]:
    owner = operation.owner
    value = owner.attrs.get(name) if owner is not None else None
    return tensors_in(value) if value is not None else []


def lookup(operation: Operation, name: str) -> Known:
    """The literal bound to a parameter or attribute, for conditions of the row."""
    if name.startswith("self."):
        return _setting(operation, name[len("self.") :])
    value = operation.bound.get(name)
    if value is None:
        if operation.owner is not None and name in operation.owner.init:
            return _known(operation.owner.init[name])
        return _default(operation, name)
    return _known(value)


def _setting(operation: Operation, name: str) -> Known:
    """An attribute of the module, as its constructor set it."""
    owner = operation.owner
    if owner is None:
        return UNKNOWN
    if name in owner.attrs:
        return _known(owner.attrs[name])
    if name in owner.init:
        return _known(owner.init[name])
    return _default(operation, name)


def _default(operation: Operation, name: str) -> Known:
    rule = operation.rule
    for param in (*rule.sig, *rule.init):
        if param.name == name and param.default is not REQUIRED:
            return param.default
    return UNKNOWN


def _known(value: Value) -> Known:
    value = settle(value)
    if isinstance(value, Tensor):
        return "<tensor>"
    known = literal(value)
    return UNKNOWN if known is NotImplemented else known


def entities_of(operation: Operation, entries: tuple[Entry, ...]) -> list[Tensor]:
    """Tensors that entries speak of, those whose condition holds (or can't be ruled out: doubt)."""
    found: list[Tensor] = []
    for entry in entries:
        holds = True if entry.when is None else entry.when.holds(lambda n: lookup(operation, n))
        if holds:
            found += tensors_of(operation, entry.entity)
    return found


def tensors_of(operation: Operation, entity: Entity) -> list[Tensor]:
    """The tensors an entity names, results apart."""
    if entity.base == "attr":
        return _attribute(operation, entity.name)
    value = operation.bound.get(entity.name)
    return tensors_in(value) if value is not None else []
