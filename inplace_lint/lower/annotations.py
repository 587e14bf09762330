"""Annotations as trees of names: `Optional["torch.Tensor"]` is Optional of torch.Tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.function import Annotation
from inplace_lint.lower.literals import string
from inplace_lint.lower.names import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_LONGEST = 400
"""Characters of a string annotation we parse; a longer one may be made to kill the parser."""
_NOTHING = Annotation("")


def lower_annotation(node: cst.BaseExpression) -> Annotation:
    """The tree of one annotation; the name "" for what is no type by name."""
    handler = _HANDLERS.get(type(node))
    return _NOTHING if handler is None else handler(node)


def lower_optional(node: cst.Annotation | None) -> Annotation | None:
    """The tree of an annotation that may be absent."""
    return None if node is None else lower_annotation(node.annotation)


def _name(node: cst.BaseExpression) -> Annotation:
    return Annotation(dotted(node))


def _subscript(node: cst.Subscript) -> Annotation:
    name = dotted(node.value)
    if name.endswith("Literal"):
        return Annotation(name)
    indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
    if name.endswith("Annotated"):
        return lower_annotation(indices[0]) if indices else _NOTHING
    return Annotation(name, tuple([lower_annotation(index) for index in indices]))


def _sequence(node: cst.List | cst.Tuple) -> Annotation:
    """The parameters in `Callable[[A, B], C]`."""
    return Annotation("", tuple([lower_annotation(e.value) for e in node.elements]))


def _union(node: cst.BinaryOperation) -> Annotation:
    if not isinstance(node.operator, cst.BitOr):
        return _NOTHING
    return Annotation("Union", tuple(lower_annotation(part) for part in _members(node)))


def _members(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The members of `A | B | C`, which nests to the left."""
    parts = []
    while isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        parts.append(node.right)
        node = node.left
    yield node
    yield from reversed(parts)


def _string(node: cst.SimpleString) -> Annotation:
    try:
        text = string(node.value)
        if isinstance(text, str) and len(text) <= _LONGEST:
            return lower_annotation(cst.parse_expression(text.strip()))
    except (cst.ParserSyntaxError, SyntaxError, ValueError):
        pass
    return _NOTHING


_HANDLERS: dict[type[cst.CSTNode], Callable[[Any], Annotation]] = {
    cst.Name: _name,
    cst.Attribute: _name,
    cst.Subscript: _subscript,
    cst.List: _sequence,
    cst.Tuple: _sequence,
    cst.BinaryOperation: _union,
    cst.SimpleString: _string,
}
