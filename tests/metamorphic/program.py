"""A program as syntax trees that a rewriting changes, and where each line of the result is from.

Statements keep the line of the original they come from; what a rewriting makes up has line 0.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Rewriting = Callable[["Program"], None]
"""Changes the trees of a freshly parsed program; one that does not apply changes nothing."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign)


@dataclass(slots=True)
class Program:
    """`kept` are the words of the driver: names that must not change.

    `joined` gives, for the line of a statement that took in the one before it, that one's line.
    """

    trees: dict[str, ast.Module]
    main: str
    kept: frozenset[str] = frozenset()
    joined: dict[int, int] = field(default_factory=dict)

    @property
    def tree(self) -> ast.Module:
        """The program's own file."""
        return self.trees[self.main]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Texts by file name; `origins` gives the original lines of the statement on a new line."""

    texts: dict[str, str]
    origins: dict[tuple[str, int], range]


def rewrite(text: str, main: str, rewriting: Rewriting, kept: frozenset[str]) -> Rewritten | None:
    """A program's other spelling; None where the rewriting does not apply."""
    original = ast.parse(text)
    program = Program({main: ast.parse(text)}, main, kept)
    rewriting(program)
    texts = {name: ast.unparse(tree) + "\n" for name, tree in program.trees.items()}
    if rewriting is not reformat and texts == {main: ast.unparse(original) + "\n"}:
        return None
    return Rewritten(texts, dict(_origins(program, texts, _extents(original, program.joined))))


def reformat(_program: Program) -> None:
    """No change but that of the printer."""


def _origins(
    program: Program, texts: dict[str, str], extents: dict[int, range]
) -> Iterator[tuple[tuple[str, int], range]]:
    for name, tree in program.trees.items():
        pairs = zip(_statements(tree), _statements(ast.parse(texts[name])), strict=True)
        for old, new in pairs:
            yield (name, new.lineno), extents.get(getattr(old, "lineno", 0), range(1))


def _extents(tree: ast.Module, joined: dict[int, int]) -> dict[int, range]:
    """The lines of each statement, or of its header, by its first line."""
    ends = {s.lineno: _last_line(s) + 1 for s in _statements(tree)}
    return {line: range(joined.get(line, line), end) for line, end in ends.items()}


def _last_line(statement: ast.stmt) -> int:
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not isinstance(body, list):
        return statement.end_lineno or statement.lineno
    first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    return max(statement.lineno, first.lineno - 1)


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
