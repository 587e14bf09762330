"""What a name of a file may mean: definitions of the project, through imports; nothing is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.interp import libraries
from inplace_lint.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inplace_lint.interp.project import Project
    from inplace_lint.source import Unit
    from inplace_lint.source.facts import Imported

Meaning: TypeAlias = "Unit | SourceFile | str"
"""A definition, a module of the project, or a library's dotted path."""

FURTHEST = 12
"""Files that one name is followed through."""


@dataclass(slots=True)
class Meanings:
    """Answers for the files of a project, each once."""

    project: Project
    known: dict[tuple[SourceFile, str], tuple[Meaning, ...]] = field(default_factory=dict)

    def of(self, file: SourceFile, name: str, depth: int = 0) -> tuple[Meaning, ...]:
        """What a module-level name of a file may mean."""
        key = (file, name)
        known = self.known.get(key)
        if known is None:
            if depth > FURTHEST:
                return ()
            self.known[key] = ()  # while it is being asked: a circle adds nothing
            known = self.known[key] = tuple(dict.fromkeys(self._bound(file, name, depth)))
        return known

    def _bound(self, file: SourceFile, name: str, depth: int) -> Iterator[Meaning]:
        units = file.bindings.get(name)
        for unit in units or ():
            if unit.kind != "import":
                yield unit
            for each in imports_of(unit):
                if each.bound == name:
                    yield from self.imported(file, each, depth)
        for unit in file.bindings.get("*", ()) if units is None else ():
            for each in imports_of(unit):
                source = self.project.find(file, each.module, each.level)
                if each.name == "*" and source is not None and source is not file:
                    yield from self.of(source, name, depth + 1)

    def imported(self, file: SourceFile, each: Imported, depth: int = 0) -> Iterator[Meaning]:
        """What an import binds."""
        source = self.project.find(file, each.module, each.level)
        if not each.name:
            whole = each.bound != each.module.partition(".")[0]
            first = source if whole else self.project.find(file, each.bound, 0)
            found = [one for one in (first, source) if one is not None]
            yield from found
            if not found:
                yield each.module if whole else each.bound
            return
        path = f"{each.module}.{each.name}" if each.module else each.name
        inner = self.project.find(file, path, each.level)
        if source is not None and source is not file:
            yield from self.of(source, each.name, depth + 1)
        if inner is not None:
            yield inner
        elif source is None:
            yield path

    def behind(self, meaning: Meaning, chain: Sequence[str]) -> Iterator[Unit]:
        """The definitions that `module.a.b` leads to; without a chain, all of the module."""
        if isinstance(meaning, str):
            yield from self._told(meaning, chain)
        elif not isinstance(meaning, SourceFile):
            yield meaning
        elif not chain:
            yield from (unit for unit in meaning.units if unit.kind != "import")
        else:
            inner = self.project.find(meaning, chain[0], 1)
            found = self.of(meaning, chain[0]) or ((inner,) if inner is not None else ())
            for each in found:
                if each is not meaning:
                    yield from self.behind(each, chain[1:])

    def _told(self, path: str, chain: Sequence[str]) -> Iterator[Unit]:
        """What our own file about a library says of a name in it."""
        whole = ".".join([path, *chain])
        for end in range(len(path.split(".")), len(whole.split(".")) + 1):
            prefix = ".".join(whole.split(".")[:end])
            file = libraries.find(prefix)
            if file is not None:
                found = self.of(file, prefix.rpartition(".")[2])
                yield from (each for each in found if not isinstance(each, (SourceFile, str)))


def imports_of(unit: Unit) -> Iterator[Imported]:
    """The imports of a unit, functions' own included."""
    for part in unit.parts or ():
        yield from part.imports
