"""Notebooks: the code cells as one Python text, and the way back from its lines to the cells.

Cells are numbered from 1 among all cells, as ruff does. IPython's own syntax (`%magic`, `!shell`,
`help?`) becomes `pass`, a cell of another language (`%%bash`) is emptied; lines keep their number.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inplace_lint.diagnostic import Span, cell_path
from inplace_lint.runner.protocol import FileReport
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from inplace_lint.diagnostic import Diagnostic, ToolError

_LINE_END = re.compile(r"\r\n|\n|\r")
_MAGIC = re.compile(r"^(?P<indent>\s*)(?:%{1,2}[A-Za-z].*|[!?].*|[\w.*]+\?\??)\s*$")
_ASSIGNED = re.compile(r"^(?P<left>\s*[\w., ]+=\s*)(?:%[A-Za-z]|!).*$")
_OTHER_LANGUAGE = re.compile(
    r"%%(?!(?:time|timeit|capture|prun|memit|mprun|lprun|debug|script python)\b)"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number, its own lines, and where they begin in the joined text (from 1)."""

    number: int
    lines: tuple[str, ...]
    first_line: int


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code of a notebook; no cells if it is in another language."""

    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """All cells as one Python text."""
        parts = ["\n".join(_python(cell.lines)) for cell in self.cells]
        return "".join(f"{part}\n" for part in parts)

    def cell(self, number: int) -> Cell | None:
        """The cell of that number."""
        return next((cell for cell in self.cells if cell.number == number), None)

    def place(self, line: int) -> tuple[int, int]:
        """A line of the joined text as cell number and line in the cell."""
        if not self.cells:
            return 1, 1
        index = bisect_right([cell.first_line for cell in self.cells], line) - 1
        cell = self.cells[max(0, index)]
        return cell.number, line - cell.first_line + 1


def parse(data: bytes) -> Notebook:
    """Read a notebook; SourceError where it is none."""
    try:
        whole = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        words = f"not a notebook: {error.msg}"
        raise SourceError(words, error.lineno, error.colno) from None
    except (ValueError, RecursionError):  # not UTF-8; thousands of digits or brackets
        raise SourceError("not a notebook: no JSON in UTF-8") from None
    if not isinstance(whole, dict) or not isinstance(whole.get("cells"), list):
        raise SourceError("not a notebook of format 4: it has no cells")
    if not _is_python(whole):
        return Notebook(())
    cells, line = [], 1
    for number, cell in enumerate(whole["cells"], 1):
        source = _source(cell)
        if source is not None:
            lines = tuple(_LINE_END.split(source))
            cells.append(Cell(number, lines, line))
            line += len(lines)
    return Notebook(tuple(cells))


def to_cells(report: FileReport, shown: str, notebook: Notebook) -> FileReport:
    """A report about the joined text of `shown` as one about its cells."""
    return replace(
        report,
        findings=tuple(_finding(found, shown, notebook) for found in report.findings),
        errors=tuple(_error(error, shown, notebook) for error in report.errors),
    )


def _is_python(whole: dict[str, Any]) -> bool:
    about = _table(whole, "metadata")
    kernel, language = _table(about, "kernelspec"), _table(about, "language_info")
    names = (kernel.get("language"), language.get("name"))
    return all(name is None or str(name).lower() in {"python", "ipython"} for name in names)


def _table(of: dict[str, Any], key: str) -> dict[str, Any]:
    value = of.get(key)
    return value if isinstance(value, dict) else {}


def _source(cell: Any) -> str | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    return str(source)


def _python(lines: tuple[str, ...]) -> list[str]:
    """The lines of a cell with everything blanked that is not Python."""
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and _OTHER_LANGUAGE.match(first):
        return [""] * len(lines)
    try:
        ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [_blanked(line) for line in lines]
    return list(lines)


def _blanked(line: str) -> str:
    if found := _ASSIGNED.match(line):
        return f"{found['left']}None"
    if line.lstrip().startswith("#"):
        return line
    found = _MAGIC.match(line)
    return f"{found['indent']}pass" if found else line


def _finding(found: Diagnostic, shown: str, notebook: Notebook) -> Diagnostic:
    legs = tuple(replace(leg, span=_span(leg.span, shown, notebook)) for leg in found.legs)
    fix = found.fix
    if fix is not None:
        edits = tuple(replace(e, span=_span(e.span, shown, notebook)) for e in fix.edits)
        fix = replace(fix, edits=edits)
    return replace(found, span=_span(found.span, shown, notebook), legs=legs, fix=fix)


def _span(span: Span, shown: str, notebook: Notebook) -> Span:
    if span.path != shown:
        return span
    cell, line = notebook.place(span.line)
    end_line = line + span.end_line - span.line
    return Span(cell_path(shown, cell), line, span.column, end_line, span.end_column)


def _error(error: ToolError, shown: str, notebook: Notebook) -> ToolError:
    if error.path != shown:
        return error
    cell, line = notebook.place(error.line)
    return replace(error, path=cell_path(shown, cell), line=line)
