"""Lowering of one unit, and the nodes that its positions number."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from inplace_lint.lower.dispatch import Builder, Shared, lower_statement
from inplace_lint.lower.functions import Header, finish
from inplace_lint.source import SourceError
from inplace_lint.source.cst import parse_unit
from inplace_lint.source.room import with_room

if TYPE_CHECKING:
    import libcst as cst

    from inplace_lint.ir.function import Function
    from inplace_lint.source import Unit

for _name in ("expressions", "functions", "literals", "loops", "names", "patterns", "statements"):
    import_module(f"inplace_lint.lower.{_name}")  # each registers its handlers


def lowered(unit: Unit) -> Function:
    """The unit's Function, made at the first call; a unit that failed fails again."""
    if unit.lowered is None:
        try:
            unit.lowered = with_room(lambda: lower(unit))[0]
        except SourceError as error:
            error.line = max(error.line, unit.first_line)
            unit.lowered = error
    if isinstance(unit.lowered, SourceError):
        raise unit.lowered.with_traceback(None)
    return unit.lowered


def lower(unit: Unit) -> tuple[Function, list[cst.CSTNode], cst.Module, int]:
    """Lower a unit anew: also the nodes that positions number, their module, its first line."""
    module, statements, first_line = parse_unit(unit)
    shared = Shared(unit)
    b = Builder(shared, "module", "")
    at = b.at(statements[0] if statements else module)
    for statement in statements:
        lower_statement(b, statement)
    return finish(b, Header("<module>", at)), shared.nodes, module, first_line
