"""Construction once, not once a path: pristine copies of what building an instance gave.

A path begins by building its class; paths and methods of one class mostly build the same. So the
state after the first construction is copied, aliases and all, and later paths begin with a copy of
that copy. It is only taken where construction would have gone the same way: every decision it
asked for is answered as it was then.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any

from inplace_lint.domain.geometry import Geometry
from inplace_lint.domain.requires import Assumption
from inplace_lint.domain.values import (
    ClassValue,
    Const,
    Env,
    External,
    FunctionValue,
    Instance,
    ModuleValue,
    Number,
)
from inplace_lint.interp.scope import ModuleScope, is_pure
from inplace_lint.interp.state import Decision
from inplace_lint.ir.function import Function, Site
from inplace_lint.opdb.model import OpRule
from inplace_lint.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

CHEAP = 30
"""A construction of fewer steps is done again: a copy would cost as much."""


class UncopyableError(Exception):
    """The state holds something that cannot be copied."""


@dataclass(slots=True)
class Record:
    """One construction: the decisions it asked for, and a copy of all it left behind."""

    answers: dict[str, bool]
    log: list[Decision]
    sequence: int
    heap: list[object]

    def fits(self, decisions: dict[str, bool]) -> bool:
        """Whether construction under these decisions would ask the same and be told the same."""
        for key, answer in self.answers.items():
            if decisions.get(key) is not answer:
                return False
        return all(decisions.get(each.key) in (None, each.chosen) for each in self.log)


@dataclass(slots=True)
class Pristine:
    """The records of one file's classes; None for what cannot be copied."""

    records: dict[Hashable, list[Record] | None] = field(default_factory=dict)

    def recall(self, state: State, key: Hashable) -> Instance | None:
        """Put the state where a construction that fits left it; the instance it made."""
        for record in self.records.get(key) or ():
            if record.fits(state.decisions):
                obj = _restore(state, record)
                assert isinstance(obj, Instance)
                return obj
        return None

    def keep(self, state: State, key: Hashable, obj: Instance) -> None:
        """Copy what the construction of `obj` has left behind."""
        known = self.records.setdefault(key, [])
        if known is None:
            return
        try:
            heap = Copier(state.scopes.kept).sequence(_heap(state, obj))
        except UncopyableError:
            self.records[key] = None
            return
        log = [Decision(each.key, each.chosen, each.weight) for each in state.log.values()]
        answers = {key: state.decisions[key] for key in state.asked}
        known.append(Record(answers, log, state.sequence, heap))


def _heap(state: State, obj: Instance) -> list[object]:
    return [obj, state.world, state.scopes.opened, state.optimizers, state.modes, state.returned]


def _restore(state: State, record: Record) -> object:
    heap: list[Any] = Copier(state.scopes.kept).sequence(record.heap)
    obj, state.world, state.scopes.opened, state.optimizers, state.modes, state.returned = heap
    state.sequence = max(state.sequence, record.sequence)
    state.asked.update(record.answers)
    for each in record.log:
        if each.key not in state.decisions:
            state.log.setdefault(each.key, Decision(each.key, each.chosen, each.weight))
    return obj


# ---- copies ----------------------------------------------------------------------------------

ATOMS: frozenset[type] = frozenset(
    {bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented)}
    | {frozenset, type, Const, Number, External, ModuleValue}
    | {Assumption, Geometry, Site, Function, SourceFile, OpRule}
)
"""Types whose objects nothing changes."""


class Copier:
    """Copies object graphs; what was one object stays one object."""

    __slots__ = ("_kept", "_made")

    def __init__(self, kept: Mapping[SourceFile, Mapping[str, Value]]) -> None:
        self._made: dict[int, object] = {}
        self._kept = kept

    def copy(self, value: object) -> Any:
        """A copy of one value."""
        kind = type(value)
        if kind in ATOMS:
            return value
        made = self._made.get(id(value))
        return made if made is not None else self._copy(value, kind)

    def _copy(self, value: object, kind: Any) -> object:
        run = COPIERS.get(kind)
        if run is not None:
            return run(self, value)
        return self.fields_of(value, kind)

    def fields_of(self, value: object, kind: Any) -> object:
        """A copy of a dataclass: first with the same parts, then those copied that may change."""
        names, get = LAYOUTS.get(kind) or _layout(kind)
        parts, known, atoms = get(value), self._made, ATOMS
        made = known[id(value)] = kind(*parts)
        for name, part in zip(names, parts, strict=True):
            if type(part) not in atoms:
                there = known.get(id(part))
                setattr(made, name, self._copy(part, type(part)) if there is None else there)
        return made

    def scope(self, value: ModuleScope) -> object:
        """A copy of a file's names; the bindings of all paths stay the same objects."""
        env = self._made.get(id(value.env))
        if env is not None:
            return self.fields_of(value, ModuleScope)
        names: dict[str, Value] = {}
        made = ModuleScope(value.file, Env(names), set(value.done), set(value.settled))
        made.scripted, made.library = value.scripted, value.library
        old = value.env
        self._made.update({id(value): made, id(old): made.env, id(old.names): names})
        kept = self._kept.get(value.file, {})
        for name, bound in old.names.items():
            shared = type(bound) in ATOMS or kept.get(name) is bound
            names[name] = bound if shared else self.copy(bound)
        return made

    def sequence(self, items: list[object]) -> list[Any]:
        """A copy of a list."""
        made: list[object] = []
        self._made[id(items)] = made
        made.extend([item if type(item) in ATOMS else self.copy(item) for item in items])
        return made

    def row(self, items: tuple[object, ...]) -> tuple[object, ...]:
        """A copy of a tuple; the same if it holds atoms alone."""
        if all(type(item) in ATOMS for item in items):
            return items
        made = self._made[id(items)] = tuple([self.copy(item) for item in items])
        return made

    def mapping(self, entries: dict[object, object]) -> dict[object, object]:
        """A copy of a dict; keys are never copied."""
        made: dict[object, object] = {}
        self._made[id(entries)] = made
        for key, value in entries.items():
            made[key] = value if type(value) in ATOMS else self.copy(value)
        return made

    def bag(self, items: set[object]) -> set[object]:
        """A copy of a set of atoms."""
        if all(type(item) in ATOMS for item in items):
            made = self._made[id(items)] = set(items)
            return made
        raise UncopyableError

    def shared(self, value: FunctionValue | ClassValue) -> object:
        """Functions and classes that all paths share stay the same objects."""
        if is_pure(value):
            self._made[id(value)] = value
            return value
        return self.fields_of(value, type(value))

    def code(self, value: FunctionType) -> object:
        """A model's own closure: the same one, unless it holds on to something that changes."""
        held = (cell.cell_contents for cell in value.__closure__ or ())
        if all(type(each) in ATOMS for each in held):
            return value
        raise UncopyableError


def _layout(kind: Any) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    """The names of a dataclass's fields, and what reads them all at once."""
    frozen = getattr(kind, "__dataclass_params__", None)
    if not is_dataclass(kind) or getattr(frozen, "frozen", True):
        raise UncopyableError
    names = tuple(each.name for each in fields(kind))
    get = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    LAYOUTS[kind] = names, get
    return names, get


COPIERS: dict[type, Callable[[Copier, Any], object]] = {
    list: Copier.sequence,
    tuple: Copier.row,
    dict: Copier.mapping,
    set: Copier.bag,
    ModuleScope: Copier.scope,
    FunctionValue: Copier.shared,
    ClassValue: Copier.shared,
    FunctionType: Copier.code,
}
LAYOUTS: dict[Any, tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]] = {}
