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

from inplace_lint.source.depth import bodies, too_deep
from inplace_lint.source.errors import DEPTH, PARSE, SourceError
from inplace_lint.source.lines import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DEEP_MESSAGES = ("too many nested parentheses", "too many levels of indentation")


@dataclass(slots=True)
class Piece:
    """Lines 1-based and inclusive; `kind` is "def", "class", "import" or "statement"."""

    first_line: int
    last_line: int
    kind: str
    binds: tuple[str, ...]
    deep: bool = False


def index_by_ast(text: str) -> list[Piece]:
    """The pieces of a file; a SyntaxError may only mean a grammar newer than this Python's."""
    lines, starts = split(text)
    pieces: list[Piece] = []
    previous: ast.stmt | None = None
    for statement in _parse(text).body:
        piece = _piece(statement, text, lines, starts)
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
        names.update(dict.fromkeys(_walrus_names(statement)))
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
    )


# ---- names ---------------------------------------------------------------------------------


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Names a statement binds where it stands; `import *` gives "*"."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        binder = _BINDERS.get(type(node))
        if binder is not None:
            yield from binder(node)
        if not isinstance(node, _DEFINITIONS):
            stack.extend(reversed(list(bodies(node))))


def _walrus_names(statement: ast.stmt) -> Iterator[str]:
    """Targets of `:=`, a function's or class's own body left out (their headers bind outside)."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.NamedExpr):
            yield node.target.id
        inner = getattr(node, "body", ()) if type(node) in _SCOPES else ()
        hidden = {id(child) for child in inner} if isinstance(inner, list) else {id(inner)}
        stack.extend(child for child in ast.iter_child_nodes(node) if id(child) not in hidden)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)


def _bind_definition(node: ast.ClassDef) -> Iterator[str]:
    yield node.name


def _bind_import(node: ast.Import) -> Iterator[str]:
    for alias in node.names:
        yield alias.asname or alias.name.partition(".")[0]


def _bind_import_from(node: ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        yield alias.asname or alias.name


def _bind_assign(node: ast.Assign) -> Iterator[str]:
    for target in node.targets:
        yield from _bind_target(target)


def _bind_aug_assign(node: ast.AugAssign) -> Iterator[str]:
    yield from _bind_target(node.target)


def _bind_ann_assign(node: ast.AnnAssign) -> Iterator[str]:
    if node.value is not None:
        yield from _bind_target(node.target)


def _bind_type_alias(node: ast.AST) -> Iterator[str]:
    yield from _bind_target(node.name)  # type: ignore[attr-defined]  # 3.12


def _bind_for(node: ast.For) -> Iterator[str]:
    yield from _bind_target(node.target)


def _bind_with(node: ast.With) -> Iterator[str]:
    for item in node.items:
        if item.optional_vars is not None:
            yield from _bind_target(item.optional_vars)


def _bind_handler(node: ast.ExceptHandler) -> Iterator[str]:
    if node.name:
        yield node.name


def _bind_case(node: ast.match_case) -> Iterator[str]:
    for part in ast.walk(node.pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            yield name


def _bind_target(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _bind_target(element)
    elif isinstance(target, ast.Starred):
        yield from _bind_target(target.value)


def _by_type() -> dict[type[ast.AST], Callable[..., Iterator[str]]]:
    """Node types differ between versions of Python, so they are looked up by name."""
    named: dict[str, Callable[..., Iterator[str]]] = {
        "FunctionDef": _bind_definition,
        "AsyncFunctionDef": _bind_definition,
        "ClassDef": _bind_definition,
        "Import": _bind_import,
        "ImportFrom": _bind_import_from,
        "Assign": _bind_assign,
        "AugAssign": _bind_aug_assign,
        "AnnAssign": _bind_ann_assign,
        "TypeAlias": _bind_type_alias,
        "For": _bind_for,
        "AsyncFor": _bind_for,
        "With": _bind_with,
        "AsyncWith": _bind_with,
        "ExceptHandler": _bind_handler,
        "match_case": _bind_case,
    }
    return {getattr(ast, name): bind for name, bind in named.items() if hasattr(ast, name)}


_BINDERS = _by_type()
