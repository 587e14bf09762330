"""Displays of literals alone, which may be of any size: one op, whatever they hold.

    SIZES = {"tiny": (3, 192), "small": (12, 384), ...}

Only long ones; a short one is worth the ops that say where its items stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from inplace_lint.ir.ops import Rows
from inplace_lint.lower.literals import CONSTANT_NAMES, number, string

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inplace_lint.ir.ops import Literal

    Item: TypeAlias = "Literal | Rows"
    Display: TypeAlias = "cst.Tuple | cst.List | cst.Set | cst.Dict"

LONG = 16
"""Elements from which a display is looked at as a table."""


class NoLiteralError(Exception):
    """Something in a display has to be evaluated."""


def rows_of(node: Display) -> Rows | None:
    """The table that a long display is; None where one of its items is no literal."""
    if len(node.elements) < LONG:
        return None
    try:
        return _rows(node)
    except (NoLiteralError, ValueError, SyntaxError):
        return None


def _rows(node: cst.BaseExpression) -> Rows:
    if isinstance(node, cst.Dict):
        return _dict(node)
    elements: Sequence[cst.BaseElement] = node.elements  # type: ignore[attr-defined]
    items = []
    for element in elements:
        if not isinstance(element, cst.Element):
            raise NoLiteralError
        items.append(_item(element.value))
    return Rows(_KINDS[type(node)], tuple(items))


def _dict(node: cst.Dict) -> Rows:
    keys, items = [], []
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            raise NoLiteralError
        keys.append(_leaf(element.key))
        items.append(_item(element.value))
    return Rows("dict", tuple(items), tuple(keys))


_KINDS: dict[type[cst.CSTNode], str] = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}
_DISPLAYS = (cst.Tuple, cst.List, cst.Set, cst.Dict)


def _item(node: cst.BaseExpression) -> Item:
    return _rows(node) if isinstance(node, _DISPLAYS) else _leaf(node)


def _leaf(node: cst.BaseExpression) -> Literal:
    read = _LEAVES.get(type(node))
    if read is None:
        raise NoLiteralError
    return read(node)


def _name(node: cst.Name) -> Literal:
    if node.value not in CONSTANT_NAMES:
        raise NoLiteralError
    return CONSTANT_NAMES[node.value]


def _number(node: cst.Integer | cst.Float | cst.Imaginary) -> Literal:
    return number(node.value)


def _string(node: cst.SimpleString) -> Literal:
    return string(node.value)


def _negative(node: cst.UnaryOperation) -> Literal:
    if not isinstance(node.operator, cst.Minus):
        raise NoLiteralError
    value = _leaf(node.expression)
    if type(value) not in {int, float}:
        raise NoLiteralError
    return -value  # type: ignore[operator]


_LEAVES: dict[type[cst.CSTNode], Callable[..., Literal]] = {
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.SimpleString: _string,
    cst.Name: _name,
    cst.UnaryOperation: _negative,
    cst.Ellipsis: lambda _: ...,
}
