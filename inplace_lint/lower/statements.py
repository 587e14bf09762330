"""Statements that are neither assignments, loops, definitions nor imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.ops import (
    Arg,
    Break,
    Call,
    Continue,
    Handler,
    If,
    Raise,
    Return,
    Try,
    With,
)
from inplace_lint.lower.dispatch import (
    Builder,
    lower_block,
    lower_expression,
    lower_statement,
    statement,
)
from inplace_lint.lower.expressions import constant
from inplace_lint.lower.names import load
from inplace_lint.lower.targets import store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inplace_lint.ir.ops import Op


@statement("IndentedBlock", "SimpleStatementLine", "SimpleStatementSuite")
def lower_sequence(b: Builder, node: cst.BaseSuite) -> None:
    """Statements one after the other."""
    for child in node.body:
        lower_statement(b, child)


@statement("Else", "Finally")
def lower_clause(b: Builder, node: cst.Else) -> None:
    """The block of an `else:` or `finally:`."""
    lower_statement(b, node.body)


@statement("Expr")
def lower_expression_statement(b: Builder, node: cst.Expr) -> None:
    """`x.add_(1)`; a docstring does nothing."""
    if not isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString)):
        lower_expression(b, node.value)


@statement("Pass")
def lower_pass(_b: Builder, _node: cst.Pass) -> None:
    """`pass`"""


@statement("Break")
def lower_break(b: Builder, node: cst.Break) -> None:
    """`break`"""
    b.body.append(Break(b.at(node)))


@statement("Continue")
def lower_continue(b: Builder, node: cst.Continue) -> None:
    """`continue`"""
    b.body.append(Continue(b.at(node)))


@statement("Return")
def lower_return(b: Builder, node: cst.Return) -> None:
    """`return x`"""
    at = b.at(node)
    value = constant(b, None, at) if node.value is None else lower_expression(b, node.value)
    b.body.append(Return(at, value))


@statement("Raise")
def lower_raise(b: Builder, node: cst.Raise) -> None:
    """`raise x from y`"""
    value = None if node.exc is None else lower_expression(b, node.exc)
    if node.cause is not None:
        lower_expression(b, node.cause.item)
    b.body.append(Raise(b.at(node), value))


@statement("If")
def lower_if(b: Builder, node: cst.If) -> None:
    """`if ...: elif ...: else: ...`"""
    cond = lower_expression(b, node.test)
    at = b.at(node)
    then = lower_block(b, node.body)
    orelse = lower_block(b, node.orelse)
    b.body.append(If(at, cond, then, orelse))


@statement("Assert")
def lower_assert(b: Builder, node: cst.Assert) -> None:
    """`assert test, message` is `if test: pass else: raise AssertionError(message)`."""
    cond = lower_expression(b, node.test)
    at = b.at(node)
    outer = b.open()
    error = load(b, "AssertionError", node)
    if node.msg is not None:
        message = lower_expression(b, node.msg)
        called = b.reg()
        b.body.append(Call(at, called, error, (Arg("positional", message),)))
        error = called
    b.body.append(Raise(at, error))
    orelse = b.close(outer)
    b.body.append(If(at, cond, [], orelse))


@statement("Try", "TryStar")
def lower_try(b: Builder, node: cst.Try) -> None:
    """`try: except: else: finally:`, with `except*` too"""
    at = b.at(node)
    body = lower_block(b, node.body)
    handlers = tuple([_handler(b, handler) for handler in node.handlers])
    orelse = lower_block(b, node.orelse)
    final = lower_block(b, node.finalbody)
    b.body.append(Try(at, body, handlers, orelse, final))


def _handler(b: Builder, node: cst.ExceptHandler) -> Handler:
    outer = b.open()
    types = None if node.type is None else lower_expression(b, node.type)
    test = b.close(outer)
    name = None
    if node.name is not None and isinstance(node.name.name, cst.Name):
        name = node.name.name.value
        b.names.add(name)
    return Handler(test, types, name, lower_block(b, node.body))


@statement("With")
def lower_with(b: Builder, node: cst.With) -> None:
    """`with a as x, b: ...`; several managers are nested, async or not."""
    b.body.extend(_with(b, node.items, node.body))


def _with(b: Builder, items: Sequence[cst.WithItem], block: cst.BaseSuite) -> list[Op]:
    """The ops of the items and of the block within them."""
    if not items:
        return lower_block(b, block)
    outer = b.open()
    manager = lower_expression(b, items[0].item)
    at = b.at(items[0])
    entered = b.reg()
    inner = b.open()
    if items[0].asname is not None:
        store(b, items[0].asname.name, entered, at)
    b.body.extend(_with(b, items[1:], block))
    body = b.close(inner)
    b.body.append(With(at, entered, manager, body))
    return b.close(outer)
