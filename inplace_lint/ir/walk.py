"""Walks over bodies; which fields of an op hold bodies is read off its dataclass."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from inplace_lint.ir import ops
from inplace_lint.ir.ops import Handler, MakeClass, MakeFunction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.ir.function import Function
    from inplace_lint.ir.ops import Op


OP_TYPES: tuple[type, ...] = tuple(
    kind for kind in vars(ops).values() if isinstance(kind, type) and is_dataclass(kind)
)
"""Every op, and the parts of ops (`Arg`, `Handler`)."""
BODY_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if f.type in ("list[Op]", "tuple[Handler, ...]"))
    for kind in OP_TYPES
}
"""The fields that hold nested bodies, in the order in which these may run."""


def bodies(op: Op) -> Iterator[list[Op]]:
    """The nested bodies of an op, the tests of handlers included."""
    for name in BODY_FIELDS[type(op)]:
        value = getattr(op, name)
        if isinstance(value, list):
            yield value
            continue
        for handler in value:
            assert isinstance(handler, Handler)
            yield handler.test
            yield handler.body


def walk(body: list[Op]) -> Iterator[Op]:
    """Every op of a body, nested bodies included, nested functions not; in order of the text."""
    stack = [iter(body)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        if BODY_FIELDS[type(op)]:
            stack.extend(iter(inner) for inner in reversed(list(bodies(op))))


def inner_functions(function: Function) -> Iterator[Function]:
    """The functions and class bodies made directly in a function's body."""
    for op in walk(function.body):
        if isinstance(op, MakeFunction):
            yield op.function
        elif isinstance(op, MakeClass):
            yield op.body


def all_functions(function: Function) -> Iterator[Function]:
    """A function and all that are nested in it, outer ones first."""
    stack = [function]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(inner_functions(current))))
