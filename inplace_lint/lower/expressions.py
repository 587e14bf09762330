"""Expressions: operators, calls, displays, attributes, subscripts, and those that branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.ops import (
    Arg,
    Binary,
    Call,
    Compare,
    Const,
    Copy,
    GetAttr,
    GetItem,
    If,
    MakeDict,
    MakeList,
    MakeSet,
    MakeSlice,
    MakeTuple,
    Table,
    Unary,
    Yield,
    YieldFrom,
)
from inplace_lint.lower.dispatch import Builder, expression, lower_expression
from inplace_lint.lower.tables import rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inplace_lint.ir.ops import Literal, Op, Reg, Rows

UNARY: dict[type[cst.BaseUnaryOp], str] = {
    cst.Minus: "-",
    cst.Plus: "+",
    cst.BitInvert: "~",
    cst.Not: "not",
}
BINARY: dict[type[cst.BaseBinaryOp], str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.BitXor: "^",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
}
COMPARE: dict[type[cst.BaseCompOp], str] = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}
ARGUMENTS = {"": "positional", "*": "star", "**": "double-star"}


def constant(b: Builder, value: Literal, at: int) -> Reg:
    """A literal that is not in the text, or only implied by it."""
    out = b.reg()
    b.body.append(Const(at, out, value))
    return out


# ---- operators -----------------------------------------------------------------------------


@expression("UnaryOperation")
def lower_unary(b: Builder, node: cst.UnaryOperation) -> Reg:
    """`-x`; a negative number is folded, so that `dim=-1` is a literal."""
    value = lower_expression(b, node.expression)
    operator = UNARY[type(node.operator)]
    last = b.body[-1]
    if operator == "-" and isinstance(last, Const) and type(last.value) in (int, float):
        assert isinstance(last.value, (int, float)) and last.out == value
        last.value = -last.value
        last.at = b.at(node)
        return value
    out = b.reg()
    b.body.append(Unary(b.at(node), out, operator, value))
    return out


@expression("BinaryOperation")
def lower_binary(b: Builder, node: cst.BinaryOperation) -> Reg:
    """`x * y`"""
    left = lower_expression(b, node.left)
    right = lower_expression(b, node.right)
    out = b.reg()
    b.body.append(Binary(b.at(node), out, BINARY[type(node.operator)], left, right))
    return out


@expression("Comparison")
def lower_comparison(b: Builder, node: cst.Comparison) -> Reg:
    """`x < y`, `x < y < z`"""
    return _compare(b, node, lower_expression(b, node.left), node.comparisons)


def _compare(
    b: Builder, node: cst.Comparison, left: Reg, rest: Sequence[cst.ComparisonTarget]
) -> Reg:
    """`left < rest[0] < rest[1] ...`: what follows is evaluated only if the first holds."""
    right = lower_expression(b, rest[0].comparator)
    first = b.reg()
    at = b.at(node)
    b.body.append(Compare(at, first, COMPARE[type(rest[0].operator)], left, right))
    if len(rest) == 1:
        return first
    out = b.reg()
    outer = b.open()
    b.body.append(Copy(at, out, _compare(b, node, right, rest[1:])))
    then = b.close(outer)
    b.body.append(If(at, first, then, [Copy(at, out, first)]))
    return out


@expression("BooleanOperation")
def lower_boolean(b: Builder, node: cst.BooleanOperation) -> Reg:
    """`x and y`, `x or y`"""
    left = lower_expression(b, node.left)
    out = b.reg()
    at = b.at(node)
    outer = b.open()
    b.body.append(Copy(at, out, lower_expression(b, node.right)))
    other: list[Op] = b.close(outer)
    short: list[Op] = [Copy(at, out, left)]
    both = (other, short) if isinstance(node.operator, cst.And) else (short, other)
    b.body.append(If(at, left, *both))
    return out


@expression("IfExp")
def lower_if_expression(b: Builder, node: cst.IfExp) -> Reg:
    """`x if test else y`"""
    test = lower_expression(b, node.test)
    out = b.reg()
    at = b.at(node)
    outer = b.open()
    b.body.append(Copy(at, out, lower_expression(b, node.body)))
    then = b.close(outer)
    outer = b.open()
    b.body.append(Copy(at, out, lower_expression(b, node.orelse)))
    orelse = b.close(outer)
    b.body.append(If(at, test, then, orelse))
    return out


@expression("Await")
def lower_await(b: Builder, node: cst.Await) -> Reg:
    """`await x`"""
    value = lower_expression(b, node.expression)
    out = b.reg()
    b.body.append(Copy(b.at(node), out, value))
    return out


@expression("Yield")
def lower_yield(b: Builder, node: cst.Yield) -> Reg:
    """`yield x`, `yield from x`"""
    b.is_generator = True
    at = b.at(node)
    if isinstance(node.value, cst.From):
        value = lower_expression(b, node.value.item)
        out = b.reg()
        b.body.append(YieldFrom(at, out, value))
        return out
    value = constant(b, None, at) if node.value is None else lower_expression(b, node.value)
    out = b.reg()
    b.body.append(Yield(at, out, value))
    return out


@expression("NamedExpr")
def lower_walrus(b: Builder, node: cst.NamedExpr) -> Reg:
    """`(x := value)`; in a comprehension it binds a name of the function around."""
    value = lower_expression(b, node.value)
    assert isinstance(node.target, cst.Name)
    b.store(node.target.value, value, b.at(node))
    return value


# ---- calls, attributes, subscripts ---------------------------------------------------------


@expression("Attribute")
def lower_attribute(b: Builder, node: cst.Attribute) -> Reg:
    """`x.shape`"""
    value = lower_expression(b, node.value)
    name = node.attr.value
    b.names.add(name)
    out = b.reg()
    b.body.append(GetAttr(b.at(node), out, value, name))
    return out


@expression("Call")
def lower_call(b: Builder, node: cst.Call) -> Reg:
    """`f(x, *rest, dim=1, **more)`"""
    func = lower_expression(b, node.func)
    args = tuple([lower_argument(b, arg) for arg in node.args])
    out = b.reg()
    b.body.append(Call(b.at(node), out, func, args))
    return out


def lower_argument(b: Builder, arg: cst.Arg) -> Arg:
    """One argument of a call."""
    value = lower_expression(b, arg.value)
    if arg.keyword is None:
        return Arg(ARGUMENTS[arg.star], value)
    name = arg.keyword.value
    b.names.add(name)
    return Arg("keyword", value, name)


@expression("Subscript")
def lower_subscript(b: Builder, node: cst.Subscript) -> Reg:
    """`x[i]`, `x[1:, None]`"""
    value = lower_expression(b, node.value)
    index = lower_index(b, node)
    out = b.reg()
    b.body.append(GetItem(b.at(node), out, value, index))
    return out


def lower_index(b: Builder, node: cst.Subscript) -> Reg:
    """What stands between the brackets: one value, or a tuple where there is a comma."""
    elements = node.slice
    items = [_lower_element(b, node, element.slice) for element in elements]
    starred = tuple(
        position
        for position, element in enumerate(elements)
        if isinstance(element.slice, cst.Index) and element.slice.star
    )
    if len(items) == 1 and not starred and not isinstance(elements[0].comma, cst.Comma):
        return items[0]
    out = b.reg()
    b.body.append(MakeTuple(b.at(node), out, tuple(items), starred))
    return out


def _lower_element(b: Builder, node: cst.Subscript, part: cst.BaseSlice) -> Reg:
    if isinstance(part, cst.Index):
        return lower_expression(b, part.value)
    assert isinstance(part, cst.Slice)
    bounds = [
        None if bound is None else lower_expression(b, bound)
        for bound in (part.lower, part.upper, part.step)
    ]
    out = b.reg()
    b.body.append(MakeSlice(b.at(node), out, *bounds))
    return out


# ---- displays ------------------------------------------------------------------------------


def _elements(
    b: Builder, elements: Sequence[cst.BaseElement]
) -> tuple[tuple[Reg, ...], tuple[int, ...]]:
    """The registers of the elements, and which of them are unpacked."""
    items = tuple([lower_expression(b, element.value) for element in elements])
    starred = tuple(
        [i for i, element in enumerate(elements) if isinstance(element, cst.StarredElement)]
    )
    return items, starred


def _table(b: Builder, node: cst.BaseExpression, rows: Rows) -> Reg:
    out = b.reg()
    b.body.append(Table(b.at(node), out, rows))
    return out


@expression("Tuple")
def lower_tuple(b: Builder, node: cst.Tuple) -> Reg:
    """`(a, *b)`"""
    if (rows := rows_of(node)) is not None:
        return _table(b, node, rows)
    items, starred = _elements(b, node.elements)
    out = b.reg()
    b.body.append(MakeTuple(b.at(node), out, items, starred))
    return out


@expression("List")
def lower_list(b: Builder, node: cst.List) -> Reg:
    """`[a, *b]`"""
    if (rows := rows_of(node)) is not None:
        return _table(b, node, rows)
    items, starred = _elements(b, node.elements)
    out = b.reg()
    b.body.append(MakeList(b.at(node), out, items, starred))
    return out


@expression("Set")
def lower_set(b: Builder, node: cst.Set) -> Reg:
    """`{a, *b}`"""
    if (rows := rows_of(node)) is not None:
        return _table(b, node, rows)
    items, starred = _elements(b, node.elements)
    out = b.reg()
    b.body.append(MakeSet(b.at(node), out, items, starred))
    return out


@expression("Dict")
def lower_dict(b: Builder, node: cst.Dict) -> Reg:
    """`{k: v, **rest}`"""
    if (rows := rows_of(node)) is not None:
        return _table(b, node, rows)
    pairs = tuple(
        [
            (
                lower_expression(b, element.key) if isinstance(element, cst.DictElement) else None,
                lower_expression(b, element.value),
            )
            for element in node.elements
        ]
    )
    out = b.reg()
    b.body.append(MakeDict(b.at(node), out, pairs))
    return out
