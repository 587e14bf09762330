"""The identifiers that code mentions, by `ast`: what lowering would find, at a tenth of the cost.

Annotations and the names of parameters are left out; attributes, keywords and imports count. What
lowering names by itself does not (the AssertionError of an `assert`, len() in a pattern).
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OWN = {
    "Name": "id",
    "Attribute": "attr",
    "keyword": "arg",
    "FunctionDef": "name",
    "AsyncFunctionDef": "name",
    "ClassDef": "name",
    "ExceptHandler": "name",
    "MatchAs": "name",
    "MatchStar": "name",
    "MatchMapping": "rest",
}
"""The field that holds a node's own identifier, by type."""
_ANNOTATIONS = frozenset({"annotation", "returns", "type_params"})


def mentions(text: str) -> frozenset[str] | None:
    """The identifiers in a statement's text; None where this Python's `ast` does not read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return frozenset(name for node in _code(tree) for name in _names(node))


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes, annotations left out."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.AnnAssign) and node.value is None:
            continue  # an annotation alone
        yield node
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, list):
                stack += [each for each in child if isinstance(each, ast.AST)]
            elif isinstance(child, ast.AST) and name not in _ANNOTATIONS:
                stack.append(child)


def _names(node: ast.AST) -> Iterator[str]:
    kind = type(node).__name__
    deleted = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Del)
    own = getattr(node, _OWN[kind], None) if kind in _OWN and not deleted else None
    if isinstance(own, str):
        yield own
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
        yield node.asname or ""
    elif isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs
