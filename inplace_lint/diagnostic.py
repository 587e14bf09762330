"""What the tool says: spans, legs, diagnostics, edits and tool errors. Imports nothing of ours.

Lines and columns are 1-based, columns count code points, ends are exclusive.
A *finding* of the interpreter (`domain.story`) becomes a *diagnostic* when a check has worded it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file's text; `path` as it is shown to the user, `/`-separated."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, order=True)
class Leg:
    """One step of the story. Roles: saved, mutated, used, leaf, view, freed, via."""

    role: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` with `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that mend a finding; `safety` is "safe" or "unsafe", `reason` says why."""

    safety: str
    reason: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One worded finding, as every report prints it.

    `kind` is the outcome PyTorch shows (saved-modified, leaf-inplace ...), `confidence` is
    "certain", "likely" or "possible", `assumes` names the assumption (None when certain),
    `help` says what to write instead.
    """

    span: Span
    code: str
    name: str
    kind: str
    confidence: str
    message: str
    assumes: str | None
    legs: tuple[Leg, ...]
    help: str
    fix: Fix | None = None


@dataclass(frozen=True, slots=True, order=True)
class ToolError:
    """A file or function that could not be analysed (IPA001 unparsable, IPA002 incomplete)."""

    path: str
    line: int
    column: int
    code: str
    message: str


_CELL = ":cell "


def cell_path(path: str, cell: int) -> str:
    """The path of a notebook's cell, as it is shown: `nb.ipynb:cell 2`."""
    return f"{path}{_CELL}{cell}"


def split_cell(path: str) -> tuple[str, int | None]:
    """The file of a shown path and, in a notebook, the number of the cell."""
    file, sign, cell = path.rpartition(_CELL)
    return (
        (file, int(cell)) if sign and cell.isdigit() and file.endswith(".ipynb") else (path, None)
    )
