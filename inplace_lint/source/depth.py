"""How deeply code nests: a parser that recurses natively must never see what would kill it.

libcst's parser dies (the whole process, no exception) on thousands of brackets, minuses or `and`s,
and takes seconds on a thousand chained calls. `ast` refuses most of that cleanly; what it accepts
is measured here: `too_deep` unit by unit, `text_too_deep` where only libcst can read the text.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = 500
"""Levels of expression nesting; each link of a chain and each term of a sum is one."""
BRANCHES = 300
"""Statements nested in one another, which a chain of `elif` is."""
BRACKETS = 200
"""CPython's own limit."""

_LEVEL = re.compile(r"[-+*/%@&|^~.(\[{]|\b(?:not|if|lambda|and|or|await)\b")
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
_STATEMENTS = (ast.mod, ast.stmt, ast.excepthandler, ast.match_case)
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in _BODIES if name in kind._fields)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, _STATEMENTS)
}
"""The fields that hold statements (handlers, cases); most kinds of statement have none."""


def too_deep(statement: ast.stmt, text: str, starts: Sequence[int]) -> bool:
    """Whether a statement exceeds a limit; `starts` are the offsets of the lines and of the end."""
    stack: list[tuple[ast.AST, int]] = [(statement, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > BRANCHES:
            return True
        inner = bodies(node)
        if isinstance(node, ast.stmt):
            last = inner[0] if inner else node
            end = getattr(last, "lineno" if inner else "end_lineno", node.lineno)
            if _may_be_deep(text, starts[node.lineno - 1], starts[end]) and _levels(node) > LEVELS:
                return True
        stack += [(child, depth + 1) for child in inner]
    return False


def bodies(node: ast.AST) -> Sequence[ast.AST]:
    """The statements (handlers, cases) directly in a statement; a lambda's body is none."""
    names = _FIELDS.get(type(node), ())
    if len(names) < 2:
        return getattr(node, names[0]) if names else ()
    return [child for name in names for child in getattr(node, name)]


def _may_be_deep(text: str, start: int, end: int) -> bool:
    """A level takes at least a character, and one of these tokens: most code needs no look."""
    return end - start > LEVELS and len(_LEVEL.findall(text, start, end)) > LEVELS


def _levels(statement: ast.stmt) -> int:
    """The depth of the deepest expression of a statement, its nested statements left out."""
    deepest = 0
    stack: list[tuple[ast.AST, int]] = [(statement, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, ast.BoolOp):
            depth += len(node.values)  # flat in ast, nested in libcst
        deepest = max(deepest, depth)
        stack.extend(
            (child, depth + 1)
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (ast.stmt, ast.excepthandler))
        )
    return deepest


TOKEN = re.compile(
    r"(?P<skip>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\"|\#[^\r\n]*|\\\r?\n)"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>[\r\n]+)|(?P<elif>\belif\b)"
    r"|(?P<level>[-+*/%@&|^~.]|\b(?:not|if|lambda|and|or|await)\b)",
    re.DOTALL,
)


def text_too_deep(text: str) -> bool:
    """The same by tokens, for text that `ast` does not read: rather too strict."""
    brackets = levels = branches = 0
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "end":
            levels = 0 if brackets <= 0 else levels
        elif kind == "close":
            brackets -= 1
        elif kind == "elif":
            branches += 1
        elif kind != "skip":
            levels += 1
            brackets += kind == "open"
        if brackets > BRACKETS or levels > 4 * LEVELS or branches > 4 * BRANCHES:
            return True
    return False
