"""Assignment in all its forms: plain, unpacking, augmented, annotated, `del`.

x[i] += v   ->   %2 = GetItem obj=%0 index=%1;  %4 = InPlace op='+' target=%2 value=%3
                 SetItem obj=%0 index=%1 src=%4 augmented=True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from inplace_lint.ir.function import POSITIONAL, Param
from inplace_lint.ir.ops import (
    DelAttr,
    DeleteName,
    DelItem,
    GetAttr,
    GetItem,
    InPlace,
    Opaque,
    SetAttr,
    SetItem,
    StoreName,
    Unpack,
)
from inplace_lint.lower.annotations import lower_annotation
from inplace_lint.lower.dispatch import Builder, lower_expression, lower_unknown, statement
from inplace_lint.lower.expressions import lower_index

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.ir.ops import Reg

AUGMENTED: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}


def store(b: Builder, target: cst.BaseExpression, src: Reg, at: int) -> None:
    """Store a value to a target of any form; all stores stand at `at`."""
    handler = _STORES.get(type(target))
    if handler is not None:
        handler(b, target, src, at)
    else:
        lower_unknown(b, target, src)


def _store_name(b: Builder, target: cst.Name, src: Reg, at: int) -> None:
    name = target.value
    if name in b.renames:
        b.names.add(name)
        b.body.append(StoreName(at, b.renames[name], src))
    else:
        b.store(name, src, at)


def _store_attribute(b: Builder, target: cst.Attribute, src: Reg, at: int) -> None:
    obj = lower_expression(b, target.value)
    b.names.add(target.attr.value)
    b.body.append(SetAttr(at, obj, target.attr.value, src))


def _store_subscript(b: Builder, target: cst.Subscript, src: Reg, at: int) -> None:
    obj = lower_expression(b, target.value)
    index = lower_index(b, target)
    b.body.append(SetItem(at, obj, index, src))


def _store_sequence(b: Builder, target: cst.Tuple | cst.List, src: Reg, at: int) -> None:
    outs = tuple([b.reg() for _ in target.elements])
    stars = [i for i, e in enumerate(target.elements) if isinstance(e, cst.StarredElement)]
    b.body.append(Unpack(at, outs, src, stars[0] if stars else -1))
    for element, out in zip(target.elements, outs, strict=True):
        store(b, element.value, out, at)


_STORES: dict[type[cst.CSTNode], Callable[[Builder, Any, Reg, int], None]] = {
    cst.Name: _store_name,
    cst.Attribute: _store_attribute,
    cst.Subscript: _store_subscript,
    cst.Tuple: _store_sequence,
    cst.List: _store_sequence,
}


@statement("Assign")
def lower_assign(b: Builder, node: cst.Assign) -> None:
    """`x = y = value`, targets from left to right"""
    value = lower_expression(b, node.value)
    at = b.at(node)
    for target in node.targets:
        store(b, target.target, value, at)


@statement("AnnAssign")
def lower_annotated(b: Builder, node: cst.AnnAssign) -> None:
    """`x: int = value`; without a value nothing happens, but a class notes its field."""
    if b.kind == "class" and isinstance(node.target, cst.Name):
        annotation = lower_annotation(node.annotation.annotation)
        has_value = node.value is not None
        b.fields.append(Param(node.target.value, POSITIONAL, has_value, annotation))
    if node.value is not None:
        value = lower_expression(b, node.value)
        store(b, node.target, value, b.at(node))


# ---- augmented assignment ------------------------------------------------------------------


@statement("AugAssign")
def lower_augmented(b: Builder, node: cst.AugAssign) -> None:
    """`x += v`; the target's object and index are evaluated once, before the value."""
    handler = _AUGMENTED.get(type(node.target))
    if handler is not None:
        handler(b, node, node.target)
    else:
        lower_unknown(b, node)


def _augment(b: Builder, node: cst.AugAssign, old: Reg) -> tuple[int, Reg]:
    """The position of the statement, and the new value."""
    value = lower_expression(b, node.value)
    at = b.at(node)
    out = b.reg()
    b.body.append(InPlace(at, out, AUGMENTED[type(node.operator)], old, value))
    return at, out


def _augment_name(b: Builder, node: cst.AugAssign, target: cst.Name) -> None:
    at, new = _augment(b, node, lower_expression(b, target))
    b.store(target.value, new, at)


def _augment_attribute(b: Builder, node: cst.AugAssign, target: cst.Attribute) -> None:
    obj = lower_expression(b, target.value)
    name = target.attr.value
    b.names.add(name)
    old = b.reg()
    b.body.append(GetAttr(b.at(target), old, obj, name))
    at, new = _augment(b, node, old)
    b.body.append(SetAttr(at, obj, name, new))


def _augment_subscript(b: Builder, node: cst.AugAssign, target: cst.Subscript) -> None:
    obj = lower_expression(b, target.value)
    index = lower_index(b, target)
    old = b.reg()
    b.body.append(GetItem(b.at(target), old, obj, index))
    at, new = _augment(b, node, old)
    b.body.append(SetItem(at, obj, index, new, augmented=True))


_AUGMENTED: dict[type[cst.CSTNode], Callable[[Builder, cst.AugAssign, Any], None]] = {
    cst.Name: _augment_name,
    cst.Attribute: _augment_attribute,
    cst.Subscript: _augment_subscript,
}


# ---- del, type -----------------------------------------------------------------------------


@statement("Del")
def lower_del(b: Builder, node: cst.Del) -> None:
    """`del x, y.z, w[0]`"""
    _delete(b, node.target, b.at(node))


def _delete(b: Builder, target: cst.BaseExpression, at: int) -> None:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            _delete(b, element.value, at)
    elif isinstance(target, cst.Attribute):
        obj = lower_expression(b, target.value)
        b.body.append(DelAttr(at, obj, target.attr.value))
    elif isinstance(target, cst.Subscript):
        obj = lower_expression(b, target.value)
        index = lower_index(b, target)
        b.body.append(DelItem(at, obj, index))
    elif isinstance(target, cst.Name):
        b.names.add(target.value)
        b.body.append(DeleteName(at, target.value))


@statement("TypeAlias")
def lower_type_alias(b: Builder, node: cst.TypeAlias) -> None:
    """`type X = int`; what it stands for is evaluated when asked, which nobody does."""
    at = b.at(node)
    out = b.reg()
    b.body.append(Opaque(at, out, (), "type alias"))
    b.store(node.name.value, out, at)
