"""Modules of the project, evaluated lazily: a name is computed when something asks for it.

A file's top-level statements are its *units*. Asking for a name runs the units that bind it, in
order, each at most once a path and under a budget of its own. What came out immutable (functions,
classes, constants, imports) is kept for all paths of the file; the rest is made anew on each.
"""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint import lower
from inplace_lint.domain.values import (
    ClassValue,
    Const,
    DictValue,
    Env,
    External,
    FunctionValue,
    Instance,
    ModuleValue,
    Property,
    TupleValue,
    Unknown,
    Value,
    Wrapped,
)
from inplace_lint.interp import acts, libraries
from inplace_lint.interp.state import Exhausted, Frame, Raised
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk
from inplace_lint.opdb import resolve
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function
    from inplace_lint.source import SourceFile, Unit

UNIT_STEPS = 3000
"""Budget of one top-level statement, apart from the entry's own."""

DECORATOR = re.compile(r"@(\w+)")
BUILTINS = frozenset(dir(builtins))


@dataclass(slots=True, eq=False)
class ModuleScope:
    """One file's names on one path; `scripted` while its body runs from top to bottom."""

    file: SourceFile
    env: Env
    done: set[int] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    """names of which all units have run"""
    scripted: bool = False
    library: bool = False
    """of another library: what happens here is told where first-party code calls it"""


@dataclass(frozen=True, slots=True)
class Namespace:
    """A package that is a mere folder, as the file that imports from it sees it."""

    importer: SourceFile


@dataclass(slots=True, eq=False)
class Scopes:
    """All files' scopes on one path; `kept` holds the immutable bindings of all paths."""

    kept: dict[SourceFile, dict[str, Value]] = field(default_factory=dict)
    opened: dict[SourceFile, ModuleScope] = field(default_factory=dict)

    def of(self, file: SourceFile) -> ModuleScope:
        """The scope of a file, opened on first use."""
        scope = self.opened.get(file)
        if scope is None:
            scope = ModuleScope(file, Env(dict(self.kept.get(file, {}))))
            scope.library = file.path.startswith(libraries.LIBRARY)
            self.opened[file] = scope
        return scope


def lookup(state: State, scope: ModuleScope, name: str) -> Value | None:
    """A module-level name, computed on first use; None if the file does not bind it."""
    value = scope.env.names.get(name)
    if value is not None and (scope.scripted or name in scope.settled):
        return value
    units = scope.file.bindings.get(name, ())
    if value is not None and all(unit.index in scope.done for unit in units):
        scope.settled.add(name)
        return value
    kept = state.scopes.kept.get(scope.file)
    if kept is not None and name in kept:
        scope.settled.add(name)
        return scope.env.names.setdefault(name, kept[name])
    for unit in units:
        run_unit(state, scope, unit)
    if _is_empty_dict(scope.env.names.get(name)):
        _fill(state, scope, name)
    if name in scope.env.names:
        _open_registry(state, scope.env.names[name])
        return keep(state, scope, name)
    return _star(state, scope, name)


MOST_ENTRIES = 16
"""Decorated definitions that are run to fill a registry."""


def _is_empty_dict(value: Value | None) -> bool:
    return isinstance(value, DictValue) and not value.entries and value.rest is None


def _fill(state: State, scope: ModuleScope, name: str) -> None:
    """Run the definitions whose decorators enter them into the dict of this name."""
    by_name = scope.file.bindings
    lines = scope.file.lines
    decorated = [u for u in scope.file.units if lines[u.first_line - 1].startswith("@")]
    for unit in decorated[:MOST_ENTRIES]:
        decorator = DECORATOR.match(unit.text)
        makers = by_name.get(decorator[1], ()) if decorator else ()
        if any(maker.kind == "def" and name in maker.words for maker in makers):
            run_unit(state, scope, unit)


REGISTER = "register"


def _open_registry(state: State, value: Value) -> None:
    """The dicts of an object that definitions in other files enter themselves into."""
    if not isinstance(value, Instance) or not isinstance(value.cls, ClassValue):
        return
    methods = [name for cls in value.cls.mro for name in getattr(cls, "attrs", ())]
    if not any(REGISTER in name for name in methods):
        return
    for attr, entries in value.attrs.items():
        if isinstance(entries, DictValue) and _is_empty_dict(entries):
            entries.rest = Unknown(f"value:{state.next()}", "attribute", attr)


def keep(state: State, scope: ModuleScope, name: str) -> Value:
    """Remember an immutable binding for the other paths."""
    value = scope.env.names[name]
    if is_pure(value):
        state.scopes.kept.setdefault(scope.file, {})[name] = value
    return value


def is_pure(value: Value) -> bool:
    """Whether no program can change it, so that paths may share it."""
    seen: set[int] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, (Const, External, ModuleValue)) or id(value) in seen:
            continue
        seen.add(id(value))
        parts = _parts(value)
        if parts is None:
            return False
        pending += parts
    return True


def _parts(value: Value) -> Iterable[Value] | None:
    """What an immutable value is made of; None where it can be changed."""
    if isinstance(value, FunctionValue):
        return value.defaults.values() if value.env is None else None
    if isinstance(value, TupleValue):
        return value.items
    if isinstance(value, Wrapped):
        return (value.func,)
    if isinstance(value, Property):
        return (value.getter,)
    return value.attrs.values() if isinstance(value, ClassValue) else None


def run_unit(state: State, scope: ModuleScope, unit: Unit) -> None:
    """Run one top-level statement, once a path, under its own budget."""
    if unit.index in scope.done:
        return
    scope.done.add(unit.index)
    try:
        function = lower.lower_unit(unit)
    except SourceError as error:
        state.shared.failed(unit, error.message)
        return
    steps, limit, frames = state.steps, state.limit, state.frames
    state.steps, state.limit, state.frames = 0, UNIT_STEPS + _length(function), []
    frame = Frame(function, scope.env, scope, [Const(None)] * function.registers)
    state.frames.append(frame)
    try:
        acts.run_body(state, frame, function.body)
    except Raised:
        pass
    except Exhausted:
        if unit.kind == "class":  # without it, nothing of its methods is analysed
            name = unit.binds[0]
            state.shared.failed(unit, f"analysis incomplete: {name} ran out of steps")
    finally:
        state.steps, state.limit, state.frames = steps, limit, frames


def _length(function: Function) -> int:
    """The ops that run at least: a class may have any number of methods."""
    inner = (op.body.body for op in function.body if isinstance(op, ops.MakeClass))
    return sum(map(len, inner), len(function.body))


def _star(state: State, scope: ModuleScope, name: str) -> Value | None:
    """A name that `from x import *` may bring."""
    if name.startswith("_") or name in BUILTINS:
        return None
    for unit in scope.file.bindings.get("*", ()):
        for star in _stars(unit):
            value = _from_star(state, scope, star.module, star.level, name)
            if value is not None:
                scope.env.names[name] = value
                return value
    return None


def _stars(unit: Unit) -> list[ops.ImportStar]:
    try:
        body = lower.lower_unit(unit).body
    except SourceError:
        return []
    return [op for op in walk(body) if isinstance(op, ops.ImportStar)]


def _from_star(
    state: State, scope: ModuleScope, module: str, level: int, name: str
) -> Value | None:
    file = state.shared.project.find(scope.file, module, level)
    if file is not None and file is not scope.file:
        return lookup(state, state.scopes.of(file), name)
    path = f"{module}.{name}"
    return External(path) if resolve.find(resolve.canonical(path)) else None


def global_name(state: State, scope: ModuleScope, name: str) -> Value:
    """A name that no function scope binds: the module's, else a builtin's, else unknown."""
    value = scope.env.names.get(name)
    if value is not None and name in scope.settled:
        return value
    if value is not None or name not in BUILTINS or name in scope.file.bindings:
        value = lookup(state, scope, name)
        if value is not None:
            return value
    if name in BUILTINS or name == "reveal":
        return External(f"builtins.{name}")
    if name == "__name__":
        return Const("__main__")
    return Unknown(f"name:{name}", "attribute", name)


def import_module(state: State, importer: SourceFile, module: str, top: bool) -> Value:
    """`import a.b` (top: binds a) or `import a.b as c`."""
    wanted = module.partition(".")[0] if top else module
    find = state.shared.project.find
    file = find(importer, wanted, 0)
    if file is None and top and module != wanted and find(importer, module, 0) is not None:
        return ModuleValue(Namespace(importer), wanted)
    return ModuleValue(file, wanted) if file is not None else External(wanted)


def import_name(state: State, importer: SourceFile, module: str, level: int, name: str) -> Value:
    """`from module import name`"""
    find = state.shared.project.find
    file = find(importer, module, level)
    if file is not None:
        value = lookup(state, state.scopes.of(file), name) if file is not importer else None
        if value is not None:
            return value
    submodule = find(importer, f"{module}.{name}" if module else name, level)
    if submodule is not None:
        return ModuleValue(submodule, f"{module}.{name}")
    path = "." * level + (f"{module}.{name}" if module else name)
    return library_name(state, path)


def library_name(state: State, path: str) -> Value:
    """A name of a library: what a file of ours tells of it, else its path."""
    file = libraries.find(path)
    found = lookup(state, state.scopes.of(file), path.rpartition(".")[2]) if file else None
    return found if found is not None else External(path)


def module_attribute(state: State, module: ModuleValue, name: str) -> Value:
    """`module.name` of one of our files."""
    file = module.scope
    if isinstance(file, Namespace):
        whole = f"{module.name}.{name}"
        found = state.shared.project.find(file.importer, whole, 0)
        return ModuleValue(found if found is not None else file, whole)
    value = lookup(state, state.scopes.of(file), name)  # type: ignore[arg-type]
    if value is not None:
        return value
    inner = state.shared.project.find(file, name, 1)  # type: ignore[arg-type]
    if inner is not None:
        return ModuleValue(inner, f"{module.name}.{name}")
    return Unknown(f"module:{module.name}.{name}", "attribute", name)
