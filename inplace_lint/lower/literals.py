"""Numbers and strings."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.ops import Const, Opaque, Text
from inplace_lint.lower.dispatch import Builder, expression, lower_expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.ir.ops import Literal, Reg

CONSTANT_NAMES: dict[str, Literal] = {"None": None, "True": True, "False": False}


@lru_cache(maxsize=4096)
def number(text: str) -> Literal:
    """The value of a number as written; ValueError for one beyond Python's limit of digits."""
    if text.isdigit() and len(text) < 100 and (text[0] != "0" or len(text) == 1):
        return int(text)
    value: Literal = ast.literal_eval(text)
    return value


@lru_cache(maxsize=4096)
def string(text: str) -> str | bytes:
    """The value of one string literal as written, prefix and quotes included."""
    if "\\" not in text and text[0] in "'\"":
        width = 3 if text[:3] in ("'''", '"""') else 1
        return text[width:-width].replace("\r\n", "\n").replace("\r", "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value: str | bytes = ast.literal_eval(text)
    return value


@expression("Integer", "Float", "Imaginary")
def lower_number(b: Builder, node: cst.BaseNumber) -> Reg:
    """`3`, `1e-5`"""
    text: str = node.value  # type: ignore[attr-defined]  # each of the three has it
    out = b.reg()
    at = b.at(node)
    try:
        b.body.append(Const(at, out, number(text)))
    except (ValueError, SyntaxError):
        b.body.append(Opaque(at, out, (), "number"))
    return out


@expression("Ellipsis")
def lower_ellipsis(b: Builder, node: cst.Ellipsis) -> Reg:
    """`...`"""
    out = b.reg()
    b.body.append(Const(b.at(node), out, ...))
    return out


@expression("SimpleString")
def lower_string(b: Builder, node: cst.SimpleString) -> Reg:
    """`"sum"`"""
    out = b.reg()
    at = b.at(node)
    try:
        b.body.append(Const(at, out, string(node.value)))
    except (ValueError, SyntaxError):
        b.body.append(Opaque(at, out, (), "string"))
    return out


@expression("FormattedString", "TemplatedString")
def lower_formatted(b: Builder, node: cst.FormattedString) -> Reg:
    """`f"{x:{width}}"`"""
    parts = tuple(lower_expression(b, part) for part in _interpolated(node.parts))
    out = b.reg()
    b.body.append(Text(b.at(node), out, parts, _pieces(node.parts)))
    return out


def _pieces(parts: object) -> tuple[str, ...]:
    """The literal texts around plain interpolations; () with formats, conversions or escapes."""
    assert isinstance(parts, (tuple, list))
    pieces = [""]
    for part in parts:
        text = getattr(part, "value", None)
        if isinstance(text, str):
            pieces[-1] += text
        elif part.format_spec is not None or part.conversion is not None or part.equal is not None:
            return ()
        else:
            pieces.append("")
    escaped = any(character in piece for piece in pieces for character in "\\{}")
    return () if escaped else tuple(pieces)


@expression("ConcatenatedString")
def lower_concatenated(b: Builder, node: cst.ConcatenatedString) -> Reg:
    """`"a" f"{b}" "c"`; nested to the right without bound, so by a loop."""
    pieces: list[cst.BaseExpression] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.ConcatenatedString):
        pieces.append(rest.left)
        rest = rest.right
    pieces.append(rest)
    plain = [piece.value for piece in pieces if isinstance(piece, cst.SimpleString)]
    if len(plain) == len(pieces):
        return _joined(b, node, plain)
    parts = tuple(
        lower_expression(b, part)
        for piece in pieces
        for part in _interpolated(getattr(piece, "parts", ()))
    )
    out = b.reg()
    b.body.append(Text(b.at(node), out, parts))
    return out


def _joined(b: Builder, node: cst.ConcatenatedString, plain: list[str]) -> Reg:
    out = b.reg()
    at = b.at(node)
    try:
        values = [string(text) for text in plain]
    except (ValueError, SyntaxError):
        values = []
    if values and all(isinstance(value, str) for value in values):
        b.body.append(Const(at, out, "".join(str(value) for value in values)))
    elif values and all(isinstance(value, bytes) for value in values):
        b.body.append(Const(at, out, b"".join(v for v in values if isinstance(v, bytes))))
    else:
        b.body.append(Opaque(at, out, (), "string"))
    return out


def _interpolated(parts: object) -> Iterator[cst.BaseExpression]:
    """The expressions in an f-string, those in format specs included."""
    assert isinstance(parts, (tuple, list))
    for part in parts:
        value = getattr(part, "expression", None)
        if value is not None:
            yield value
            yield from _interpolated(part.format_spec or ())
