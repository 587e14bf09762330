"""What a file holds: its functions and classes, and who names them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint import lower
from inplace_lint.harness.pristine import Pristine
from inplace_lint.interp import coverage
from inplace_lint.ir import ops
from inplace_lint.ir.function import Site
from inplace_lint.ir.walk import all_functions, walk
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from inplace_lint.interp.state import Shared
    from inplace_lint.ir.function import Function
    from inplace_lint.source import SourceFile, Unit


@dataclass(slots=True)
class Survey:
    """A file's top-level definitions by kind, and the names that other units use."""

    file: SourceFile
    functions: list[Unit] = field(default_factory=list)
    classes: list[Unit] = field(default_factory=list)
    statements: list[Unit] = field(default_factory=list)
    pristine: Pristine = field(default_factory=Pristine)
    optimises: bool = False
    """the file is an optimizer's: nobody differentiates what its helpers return"""
    fitting: dict[frozenset[str], tuple[Unit, ...]] = field(default_factory=dict)
    """the classes that define all attributes of a set"""
    on_arrays: bool = False
    """the file knows numpy and nothing of torch: what its functions are given are arrays"""

    def is_named(self, unit: Unit, name: str) -> bool:
        """Whether another unit's code (imports and strings apart) uses the name."""
        for other in self.file.mentioning(name):
            if other is unit or other.kind == "import" or name not in other.used:
                continue
            if name in _names(other):
                return True
        return False


def _names(unit: Unit) -> frozenset[str]:
    """The identifiers of a unit's code; it is not lowered for their sake where `ast` tells them."""
    names = None if unit.lowered is not None or unit.deep else unit.mentions
    if names is None:
        function = lowered(unit)
        names = function.names if function is not None else frozenset()
    return names


def survey(file: SourceFile) -> Survey:
    """Sort the units."""
    found = Survey(file)
    found.on_arrays = "numpy" in file.text and "torch" not in file.text
    kinds = {"def": found.functions, "class": found.classes, "statement": found.statements}
    for unit in file.units:
        if unit.kind in kinds:
            kinds[unit.kind].append(unit)
    return found


def lowered(unit: Unit) -> Function | None:
    """The unit's IR; None where it can't be parsed."""
    try:
        return lower.lower_unit(unit)
    except SourceError:
        return None


def functions_in(unit: Unit) -> list[Function]:
    """All functions of a unit, methods and nested ones included; found once a lowering."""
    top = lowered(unit)
    if top is None:
        return []
    if top.inner is None:
        top.inner = [f for f in all_functions(top) if f.kind not in {"module", "class"}]
    return top.inner


def definitions_in(unit: Unit) -> list[str]:
    """Names of the functions and classes that a statement defines: in an `if`, a `try`."""
    top = lowered(unit)
    made = walk(top.body) if top is not None else ()
    names = [
        op.function.name if isinstance(op, ops.MakeFunction) else op.name
        for op in made
        if isinstance(op, (ops.MakeFunction, ops.MakeClass))
    ]
    return [name for name in dict.fromkeys(names) if name in unit.binds]


def all_met(shared: Shared, function: Function) -> bool:
    """Whether every write in a function's own body was executed."""
    sites = (Site(function.unit, op.at) for op in walk(function.body) if coverage.writes(op))
    return all(site in shared.sites for site in sites)


def mutation_sites(function: Function) -> int:
    """In-place writes in a function's own body, by syntax."""
    return sum(coverage.writes(op) for op in walk(function.body))
