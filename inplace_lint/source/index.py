"""Where the top-level statements of a file lie and which names they bind, told by `ast`.

    x = 1; y = 2      -> one piece, binds x and y, lines 1-1
    @deco
    def f(): ...      -> one piece, binds f, its lines begin with the decorator

Statements that share a line, or are joined by a backslash, are one piece, so that a piece's lines
parse alone and the pieces are one to one with the statements of libcst's module.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.source.binding import bound_names, walrus_names
from inplace_lint.source.depth import too_deep
from inplace_lint.source.errors import DEPTH, PARSE, SourceError
from inplace_lint.source.facts import Marks
from inplace_lint.source.lines import split
from inplace_lint.source.parts import Part, module_containers, parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEP_MESSAGES = ("too many nested parentheses", "too many levels of indentation")


@dataclass(slots=True)
class Piece:
    """Lines 1-based and inclusive; `kind` is "def", "class", "import" or "statement"."""

    first_line: int
    last_line: int
    kind: str
    binds: tuple[str, ...]
    deep: bool = False
    parts: list[Part] | None = None
    """what is known of what it writes; None where `ast` could not tell"""


def index_by_ast(text: str) -> list[Piece]:
    """The pieces of a file; a SyntaxError may only mean a grammar newer than this Python's."""
    lines, starts = split(text)
    pieces: list[Piece] = []
    previous: ast.stmt | None = None
    body = _parse(text).body
    marks, containers = Marks(lines), module_containers(body)
    for statement in body:
        piece = _piece(statement, text, lines, starts)
        if not piece.deep:
            piece.parts = parts_of(statement, marks, containers)
        if previous is not None and _joined(previous, statement, pieces[-1], lines):
            pieces[-1] = _merge(pieces[-1], piece)
        else:
            pieces.append(piece)
        previous = statement
    return pieces


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        if error.msg in _DEEP_MESSAGES:
            raise refusal(error, DEPTH) from None
        raise
    except ValueError:
        raise SourceError("holds characters that no source may hold") from None


def refusal(error: SyntaxError, kind: str = PARSE) -> SourceError:
    """A SyntaxError as a SourceError."""
    return SourceError(error.msg, error.lineno or 1, max(error.offset or 1, 1), kind)


def _piece(statement: ast.stmt, text: str, lines: Sequence[str], starts: Sequence[int]) -> Piece:
    first = _first_line(statement, lines)
    last = statement.end_lineno or statement.lineno
    deep = starts[last] - starts[first - 1] > 200 and too_deep(statement, text, starts)
    names = dict.fromkeys(bound_names(statement))
    if ":=" in text[starts[first - 1] : starts[last]]:
        names.update(dict.fromkeys(walrus_names(statement)))
    return Piece(first, last, _KINDS.get(type(statement), "statement"), tuple(names), deep)


_KINDS: dict[type[ast.AST], str] = {
    ast.FunctionDef: "def",
    ast.AsyncFunctionDef: "def",
    ast.ClassDef: "class",
    ast.Import: "import",
    ast.ImportFrom: "import",
}


def _first_line(statement: ast.stmt, lines: Sequence[str]) -> int:
    """The line of the first decorator's `@`, which may precede the decorator's expression."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    if not decorators:
        return statement.lineno
    first = min(decorators[0].lineno, statement.lineno)
    while first > 1 and not lines[first - 1].lstrip().startswith("@"):
        first -= 1
    return first


def _joined(previous: ast.stmt, statement: ast.stmt, piece: Piece, lines: Sequence[str]) -> bool:
    if statement.lineno <= piece.last_line:
        return True
    line = lines[piece.last_line - 1]
    rest = line.encode()[previous.end_col_offset or 0 :] if line.endswith("\\") else b""
    return rest.strip(b" \t\f;") == b"\\"


def _merge(one: Piece, other: Piece) -> Piece:
    return Piece(
        one.first_line,
        max(one.last_line, other.last_line),
        one.kind if one.kind == other.kind else "statement",
        tuple(dict.fromkeys(one.binds + other.binds)),
        one.deep or other.deep,
        None if one.parts is None or other.parts is None else one.parts + other.parts,
    )
