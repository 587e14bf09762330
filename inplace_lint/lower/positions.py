"""Where an op stands in its file, found out only when someone asks.

The unit is lowered again with its nodes kept, and one code generation writes down where they lie
(`source.cst.positions`); then all positions of the unit are known. A compound statement is never
shown whole: its *anchor* stands for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.diagnostic import Span
from inplace_lint.lower.unit import lower
from inplace_lint.source import SourceError
from inplace_lint.source.cst import positions
from inplace_lint.source.room import with_room

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from inplace_lint.ir.function import Site
    from inplace_lint.source import Unit

    Range = tuple[int, int, int, int]

_ANCHORS: dict[type[cst.CSTNode], Callable[[Any], tuple[cst.CSTNode, cst.CSTNode]]] = {
    cst.FunctionDef: lambda node: (node.name, node.name),
    cst.ClassDef: lambda node: (node.name, node.name),
    cst.If: lambda node: (node.test, node.test),
    cst.While: lambda node: (node.test, node.test),
    cst.For: lambda node: (node.target, node.iter),
    cst.CompFor: lambda node: (node.target, node.iter),
    cst.With: lambda node: (node.items[0], node.items[-1]),
    cst.Match: lambda node: (node.subject, node.subject),
    cst.SimpleStatementLine: lambda node: (node.body[0], node.body[-1]),
    cst.MatchCase: lambda node: (node.pattern, node.pattern),
}
_KEYWORDS: dict[type[cst.CSTNode], str] = {cst.Try: "try", cst.TryStar: "try"}
"""Statements that only their first word can stand for."""


def span(site: Site) -> Span:
    """The span of a site, in its file's lines and columns.

    Should a unit be lowered but too deep for code generation, all its sites are its first line.
    """
    unit = site.unit
    if unit.spans is None:
        unit.spans = _spans_or_none(unit)
    if not unit.spans:
        end = len(unit.file.lines[unit.first_line - 1]) + 1
        return Span(unit.file.path, unit.first_line, 1, unit.first_line, end)
    line, column, end_line, end_column = unit.spans[site.at]
    return Span(unit.file.path, line, column + 1, end_line, end_column + 1)


def _spans_or_none(unit: Unit) -> list[Range]:
    try:
        return with_room(lambda: _spans(unit))
    except SourceError:
        return []


def _spans(unit: Unit) -> list[Range]:
    """The ranges of all positions of a unit."""
    _, nodes, module, first_line = lower(unit)
    ends = [_ends(node) for node in nodes]
    ranges = positions(module, {node for pair in ends for node in pair})
    shift = first_line - 1
    found = []
    for node, (start, end) in zip(nodes, ends, strict=True):
        line, column, _, _ = ranges[id(start)]
        _, _, end_line, end_column = ranges[id(end)]
        keyword = _KEYWORDS.get(type(node))
        if keyword is not None:
            end_line, end_column = line, column + len(keyword)
        found.append((line + shift, column, end_line + shift, end_column))
    return found


def _ends(node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    anchor = _ANCHORS.get(type(node))
    return (node, node) if anchor is None else anchor(node)
