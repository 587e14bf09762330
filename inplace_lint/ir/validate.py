"""Is a Function well formed? Run on everything lowered in tests.

Every register is written before it is read on every path (so both sides of an `If` write the target
of the `Copy` that joins them), lies below `Function.registers` and is written once, by `Copy`s
apart; jumps stand where they mean something; positions are in range.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from inplace_lint.ir.ops import (
    Break,
    Continue,
    Copy,
    For,
    Handler,
    If,
    Op,
    Raise,
    Return,
    Try,
    While,
    With,
)
from inplace_lint.ir.walk import OP_TYPES, inner_functions, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.ir.function import Function

_WRITTEN = ("out", "outs", "item", "entered")
_LATER: dict[type, tuple[str, ...]] = {While: ("cond",)}
"""Registers that an op reads after one of its bodies has run."""


def problems(function: Function, places: int | None = None) -> list[str]:
    """What is wrong with a function and those nested in it; `places` bounds the positions."""
    check = _Check(function, [])
    check.body(function.body, set(), in_loop=False)
    check.written_once()
    if places is not None:
        check.positions(places)
    found = [f"{function.qualname or function.name}: {text}" for text in check.found]
    for inner in inner_functions(function):
        found.extend(problems(inner, places))
    return found


@dataclass(slots=True)
class _Check:
    """The walk over one function; `found` gathers the problems."""

    function: Function
    found: list[str]

    def body(self, body: list[Op], known: set[int], in_loop: bool) -> set[int] | None:
        """The registers surely written after a body, None if its end is never reached."""
        alive: set[int] | None = set(known)
        for op in body:
            self.jump(op, in_loop)
            current = known if alive is None else alive
            self.reads(op, current)
            current |= set(_registers(op, _WRITTEN))
            handler = _FLOW.get(type(op))
            after = handler(self, op, current, in_loop) if handler else current
            alive = None if alive is None or isinstance(op, _JUMPS) else after
            known = known | current
        return alive

    def reads(self, op: Op | Handler, known: set[int]) -> None:
        """Complain of registers that are read too early."""
        for register in _registers(op, _READ[type(op)]):
            if register not in known:
                self.found.append(f"{type(op).__name__} reads %{register} before it is written")

    def jump(self, op: Op, in_loop: bool) -> None:
        """Complain of a jump out of nothing."""
        if isinstance(op, (Break, Continue)) and not in_loop:
            self.found.append(f"{type(op).__name__} outside a loop")
        if isinstance(op, Return) and self.function.kind not in ("function", "lambda"):
            self.found.append(f"Return in a {self.function.kind}")

    def written_once(self) -> None:
        """Complain of a register written twice, unless by copies, or out of bounds."""
        seen: dict[int, bool] = {}
        for op in walk(self.function.body):
            copies = isinstance(op, Copy)
            for register in _registers(op, _WRITTEN):
                if register in seen and not (copies and seen[register]):
                    self.found.append(f"%{register} is written twice")
                if not 0 <= register < self.function.registers:
                    self.found.append(f"%{register} is out of bounds")
                seen[register] = copies

    def positions(self, places: int) -> None:
        """Complain of positions that no node has."""
        for at in (self.function.at, *(op.at for op in walk(self.function.body))):
            if not 0 <= at < places:
                self.found.append(f"position {at} of {places}")


_JUMPS = (Break, Continue, Return, Raise)


_READ: dict[type, tuple[str, ...]] = {
    kind: tuple(
        f.name
        for f in fields(kind)
        if f.name not in (*_WRITTEN, *_LATER.get(kind, ()))
        and ("Reg" in f.type or f.type == "tuple[Arg, ...]")
    )
    for kind in OP_TYPES
}


def _registers(op: Op | Handler, names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        yield from _flat(getattr(op, name, None))


def _flat(value: object) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, int):
        yield value
    elif value is not None and not isinstance(value, str):
        yield from _flat(getattr(value, "value", None))


# ---- control flow ------------------------------------------------------------------------------


def _flow_if(check: _Check, op: If, known: set[int], in_loop: bool) -> set[int] | None:
    then = check.body(op.then, known, in_loop)
    orelse = check.body(op.orelse, known, in_loop)
    if then is None or orelse is None:
        return orelse if then is None else then
    return then & orelse


def _flow_for(check: _Check, op: For, known: set[int], in_loop: bool) -> set[int] | None:
    check.body(op.body, known, in_loop=True)
    check.body(op.orelse, known, in_loop)
    return known


def _flow_while(check: _Check, op: While, known: set[int], in_loop: bool) -> set[int] | None:
    known = check.body(op.test, known, in_loop) or known
    if op.cond not in known:
        check.found.append(f"While reads %{op.cond} before it is written")
    check.body(op.body, known, in_loop=True)
    check.body(op.orelse, known, in_loop)
    return known


def _flow_try(check: _Check, op: Try, known: set[int], in_loop: bool) -> set[int] | None:
    after = check.body(op.body, known, in_loop)
    for handler in op.handlers:
        tested = check.body(handler.test, known, in_loop) or known
        check.reads(handler, tested)
        check.body(handler.body, tested, in_loop)
    check.body(op.orelse, known if after is None else after, in_loop)
    check.body(op.final, known, in_loop)
    return known


def _flow_with(check: _Check, op: With, known: set[int], in_loop: bool) -> set[int] | None:
    check.body(op.body, known, in_loop)
    return known


_FLOW: dict[type[Op], Callable[..., set[int] | None]] = {
    If: _flow_if,
    For: _flow_for,
    While: _flow_while,
    Try: _flow_try,
    With: _flow_with,
}
