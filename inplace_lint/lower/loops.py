"""Loops and comprehensions.

    [x * 2 for x in xs if x]  ->  %1 = MakeList
                                  For item=%2 iterable=%0
                                    body: StoreName 'x@1', If, Append
A generator expression is a list like the others: it is evaluated at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.ops import (
    Append,
    Arg,
    Call,
    For,
    GetAttr,
    If,
    MakeDict,
    MakeList,
    MakeSet,
    SetItem,
    While,
)
from inplace_lint.lower.dispatch import (
    Builder,
    expression,
    lower_block,
    lower_expression,
    statement,
)
from inplace_lint.lower.targets import store
from inplace_lint.source.cst import target_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from inplace_lint.ir.ops import Reg

    Add: TypeAlias = Callable[[], None]


@statement("For")
def lower_for(b: Builder, node: cst.For) -> None:
    """`for x in xs: ... else: ...`, async or not"""
    iterable = lower_expression(b, node.iter)
    at = b.at(node)
    item = b.reg()
    outer = b.open()
    store(b, node.target, item, b.at(node.target))
    b.body.extend(lower_block(b, node.body))
    body = b.close(outer)
    b.body.append(For(at, item, iterable, body, lower_block(b, node.orelse)))


@statement("While")
def lower_while(b: Builder, node: cst.While) -> None:
    """`while test: ... else: ...`"""
    at = b.at(node)
    outer = b.open()
    cond = lower_expression(b, node.test)
    test = b.close(outer)
    body = lower_block(b, node.body)
    b.body.append(While(at, test, cond, body, lower_block(b, node.orelse)))


# ---- comprehensions ------------------------------------------------------------------------


@expression("ListComp", "GeneratorExp")
def lower_list_comprehension(b: Builder, node: cst.ListComp) -> Reg:
    """`[x for x in xs]`, `(x for x in xs)`"""
    out = b.reg()
    b.body.append(MakeList(b.at(node), out, ()))
    _clauses(b, node.for_in, lambda: _append(b, out, node.elt))
    return out


@expression("SetComp")
def lower_set_comprehension(b: Builder, node: cst.SetComp) -> Reg:
    """`{x for x in xs}`"""
    out = b.reg()
    b.body.append(MakeSet(b.at(node), out, ()))
    _clauses(b, node.for_in, lambda: _append(b, out, node.elt))
    return out


@expression("DictComp")
def lower_dict_comprehension(b: Builder, node: cst.DictComp) -> Reg:
    """`{k: v for k, v in items}`"""
    out = b.reg()
    b.body.append(MakeDict(b.at(node), out, ()))

    def add() -> None:
        key = lower_expression(b, node.key)
        value = lower_expression(b, node.value)
        b.body.append(SetItem(b.at(node.value), out, key, value))

    _clauses(b, node.for_in, add)
    return out


@expression("StarredDictComp")
def lower_starred_dict_comprehension(b: Builder, node: cst.DictComp) -> Reg:
    """`{**d for d in dicts}`"""
    out = b.reg()
    b.body.append(MakeDict(b.at(node), out, ()))

    def add() -> None:
        value = lower_expression(b, node.value)
        at = b.at(node.value)
        method, result = b.reg(), b.reg()
        b.body.append(GetAttr(at, method, out, "update"))
        b.body.append(Call(at, result, method, (Arg("positional", value),)))

    _clauses(b, node.for_in, add)
    return out


def _append(b: Builder, out: Reg, element: cst.BaseExpression) -> None:
    """Add an element, or all of what `*xs` holds."""
    inner = getattr(element, "value", None) if isinstance(element, cst.StarredElement) else None
    value = lower_expression(b, element if inner is None else inner)
    if inner is None:
        b.body.append(Append(b.at(element), out, value))
        return
    at = b.at(inner)
    item = b.reg()
    b.body.append(For(at, item, value, [Append(at, out, item)], []))


def _clauses(b: Builder, clause: cst.CompFor, add: Add) -> None:
    """Run the clauses; the first iterable alone is evaluated outside the comprehension's scope."""
    iterable = lower_expression(b, clause.iter)
    saved = b.renames
    b.shared.comprehensions += 1
    number = b.shared.comprehensions
    b.renames = {**saved, **{name: f"{name}@{number}" for name in _targets(clause)}}
    _clause(b, clause, iterable, add)
    b.renames = saved


def _clause(b: Builder, clause: cst.CompFor, iterable: Reg, add: Add) -> None:
    at = b.at(clause)
    item = b.reg()
    outer = b.open()
    store(b, clause.target, item, b.at(clause.target))
    _filtered(b, clause, clause.ifs, add)
    body = b.close(outer)
    b.body.append(For(at, item, iterable, body, []))


def _filtered(b: Builder, clause: cst.CompFor, ifs: Sequence[cst.CompIf], add: Add) -> None:
    if ifs:
        cond = lower_expression(b, ifs[0].test)
        at = b.at(ifs[0].test)
        outer = b.open()
        _filtered(b, clause, ifs[1:], add)
        then = b.close(outer)
        b.body.append(If(at, cond, then, []))
    elif clause.inner_for_in is not None:
        iterable = lower_expression(b, clause.inner_for_in.iter)
        _clause(b, clause.inner_for_in, iterable, add)
    else:
        add()


def _targets(clause: cst.CompFor | None) -> Iterator[str]:
    while clause is not None:
        yield from target_names(clause.target)
        clause = clause.inner_for_in
