"""Names, dotted names, imports, and the declarations that move a name to another scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.ops import Const, Import, ImportFrom, ImportStar, LoadName
from inplace_lint.lower.dispatch import Builder, expression, statement
from inplace_lint.lower.literals import CONSTANT_NAMES

if TYPE_CHECKING:
    from inplace_lint.ir.ops import Reg


def dotted(node: cst.CSTNode | None) -> str:
    """`a.b.c` as text; "" for what is no dotted name."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    parts.append(node.value)
    return ".".join(reversed(parts))


def load(b: Builder, name: str, node: cst.CSTNode) -> Reg:
    """Read a name that the program need not have written (`len` in a pattern)."""
    b.names.add(name)
    out = b.reg()
    b.body.append(LoadName(b.at(node), out, name))
    return out


@expression("Name")
def lower_name(b: Builder, node: cst.Name) -> Reg:
    """`x`, `None`"""
    name = node.value
    out = b.reg()
    if name in CONSTANT_NAMES:
        b.body.append(Const(b.at(node), out, CONSTANT_NAMES[name]))
        return out
    b.names.add(name)
    b.body.append(LoadName(b.at(node), out, b.renames.get(name, name)))
    return out


@statement("Global")
def lower_global(b: Builder, node: cst.Global) -> None:
    """`global a, b`"""
    b.scopes.update((item.name.value, "global") for item in node.names)


@statement("Nonlocal")
def lower_nonlocal(b: Builder, node: cst.Nonlocal) -> None:
    """`nonlocal a, b`"""
    b.scopes.update((item.name.value, "nonlocal") for item in node.names)


@statement("Import", "LazyImport")
def lower_import(b: Builder, node: cst.Import) -> None:
    """`import a.b, c as d`"""
    at = b.at(node)
    for alias in node.names:
        module = dotted(alias.name)
        b.names.update(module.split("."))
        bound = dotted(alias.asname.name) if alias.asname is not None else ""
        out = b.reg()
        b.body.append(Import(at, out, module, not bound))
        b.store(bound or module.partition(".")[0], out, at)


@statement("ImportFrom", "LazyImportFrom")
def lower_import_from(b: Builder, node: cst.ImportFrom) -> None:
    """`from ..a import b as c, d`"""
    at = b.at(node)
    module = dotted(node.module)
    level = len(node.relative)
    b.names.update(module.split("."))
    if isinstance(node.names, cst.ImportStar):
        b.body.append(ImportStar(at, module, level))
        return
    for alias in node.names:
        name = dotted(alias.name)
        bound = dotted(alias.asname.name) if alias.asname is not None else name
        b.names.add(name)
        out = b.reg()
        b.body.append(ImportFrom(at, out, module, level, name))
        b.store(bound, out, at)
