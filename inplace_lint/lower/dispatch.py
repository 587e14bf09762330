"""The state of a lowering and the tables that say which function lowers which node.

A handler is a free function, registered by the decorator `expression` or `statement` under the
names of libcst's node types (by name, since newer types are absent from older libcsts):

    @expression("Await")
    def lower_await(b: Builder, node: cst.Await) -> Reg: ...
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import libcst as cst

from inplace_lint.ir.ops import Opaque, StoreName

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.ir.function import Param
    from inplace_lint.ir.ops import Op, Reg
    from inplace_lint.source import Unit

    Expression = Callable[["Builder", Any], Reg]
    Statement = Callable[["Builder", Any], None]

STRICT = bool(os.environ.get("INPLACE_LINT_STRICT"))
"""Whether an unknown node type raises (in tests) or becomes `Opaque` (in the field)."""

EXPRESSIONS: dict[type, Expression] = {}
STATEMENTS: dict[type, Statement] = {}
_Handler = TypeVar("_Handler", bound="Callable[..., Any]")


@dataclass(slots=True, eq=False)
class Shared:
    """What the functions of one unit have in common: the nodes met so far, and a counter."""

    unit: Unit
    nodes: list[cst.CSTNode] = field(default_factory=list)
    comprehensions: int = 0


@dataclass(slots=True, eq=False)
class Builder:
    """One function in the making; `body` is the list that ops are added to at the moment.

    `scopes` holds names declared global or nonlocal; `renames` the targets of the comprehensions
    we are in, which have names of their own (`x@1`) so that they don't leak; `names` the
    identifiers met; `fields` the annotated names of a class body.
    """

    shared: Shared
    kind: str
    qualname: str
    body: list[Op] = field(default_factory=list)
    registers: int = 0
    names: set[str] = field(default_factory=set)
    scopes: dict[str, str] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)
    fields: list[Param] = field(default_factory=list)
    is_generator: bool = False

    def reg(self) -> Reg:
        """A new register."""
        register = self.registers
        self.registers = register + 1
        return register

    def at(self, node: cst.CSTNode) -> int:
        """A new position, that of `node`."""
        nodes = self.shared.nodes
        nodes.append(node)
        return len(nodes) - 1

    def open(self) -> list[Op]:
        """Begin a nested body; give what is returned to `close`."""
        outer = self.body
        self.body = []
        return outer

    def close(self, outer: list[Op]) -> list[Op]:
        """End a nested body and return it."""
        inner = self.body
        self.body = outer
        return inner

    def inner_qualname(self, name: str) -> str:
        """The qualified name of a function or class defined here."""
        if self.kind == "module":
            return name
        return (
            f"{self.qualname}.{name}"
            if self.kind == "class"
            else (f"{self.qualname}.<locals>.{name}")
        )

    def store(self, name: str, src: Reg, at: int) -> None:
        """Bind a name in the scope it is declared to live in."""
        self.names.add(name)
        self.body.append(StoreName(at, name, src, self.scopes.get(name, "local")))


def expression(*types: str) -> Callable[[_Handler], _Handler]:
    """Register a function that lowers these expressions."""
    return _register(EXPRESSIONS, types)


def statement(*types: str) -> Callable[[_Handler], _Handler]:
    """Register a function that lowers these statements."""
    return _register(STATEMENTS, types)


def _register(table: dict[type, Any], types: tuple[str, ...]) -> Callable[[_Handler], _Handler]:
    def add(handler: _Handler) -> _Handler:
        for name in types:
            node_type = getattr(cst, name, None)
            if node_type is not None:
                table[node_type] = handler
        return handler

    return add


def lower_expression(b: Builder, node: cst.BaseExpression) -> Reg:
    """Lower an expression; its value is in the register returned."""
    handler = EXPRESSIONS.get(type(node))
    return handler(b, node) if handler is not None else lower_unknown(b, node)


def lower_statement(b: Builder, node: cst.CSTNode) -> None:
    """Lower a statement or a block of them."""
    handler = STATEMENTS.get(type(node))
    if handler is not None:
        handler(b, node)
    else:
        lower_unknown(b, node)


def lower_block(b: Builder, node: cst.CSTNode | None) -> list[Op]:
    """Lower a block, which may be absent, to a body of its own."""
    outer = b.open()
    if node is not None:
        lower_statement(b, node)
    return b.close(outer)


def lower_unknown(b: Builder, node: cst.CSTNode, *uses: Reg) -> Reg:
    """What stands for a node that no handler knows."""
    if STRICT:
        raise NotImplementedError(f"no lowering for {type(node).__name__}")
    out = b.reg()
    b.body.append(Opaque(b.at(node), out, uses, type(node).__name__))
    return out
