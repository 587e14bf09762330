"""The printer, the walks and the validator, which must see what is wrong."""

from __future__ import annotations

import pytest

from inplace_lint.ir.function import Function
from inplace_lint.ir.ops import (
    Arg,
    Break,
    Call,
    Const,
    Continue,
    Copy,
    For,
    Handler,
    If,
    LoadName,
    Op,
    Raise,
    Return,
    Try,
    While,
    With,
)
from inplace_lint.ir.printer import render
from inplace_lint.ir.validate import problems
from inplace_lint.ir.walk import OP_TYPES, all_functions, walk
from inplace_lint.lower import lower_unit
from inplace_lint.source import from_text

UNIT = from_text("x = 1\n").units[0]


def function(*body: Op, kind: str = "function", registers: int = 9) -> Function:
    return Function("f", "f", kind, (), list(body), registers, UNIT, 0)


def const(out: int) -> Const:
    return Const(0, out, True)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([Return(0, 0)], "Return reads %0 before it is written"),
        ([const(0), Call(0, 1, 0, (Arg("positional", 2),))], "Call reads %2 before"),
        ([const(0), If(0, 0, [Copy(0, 1, 0)], []), Return(0, 1)], "Return reads %1 before"),
        ([const(0), For(0, 1, 0, [const(2)], []), Return(0, 2)], "Return reads %2 before"),
        ([const(0), With(0, 1, 0, [const(2)]), Return(0, 2)], "Return reads %2 before"),
        ([While(0, [], 0, [], [])], "While reads %0 before"),
        ([Try(0, [], (Handler([], 0, None, []),), [], [])], "Handler reads %0 before"),
        ([Try(0, [const(0)], (), [], []), Return(0, 0)], "Return reads %0 before"),
        ([const(0), const(0)], "%0 is written twice"),
        ([const(0), Copy(0, 0, 0)], "%0 is written twice"),
        ([const(9)], "%9 is out of bounds"),
        ([Break(0)], "Break outside a loop"),
        ([const(0), If(0, 0, [Continue(0)], [])], "Continue outside a loop"),
        ([Const(5, 0, 1)], "position 5 of 5"),
    ],
)
def test_the_validator_sees(body: list[Op], said: str) -> None:
    (problem,) = problems(function(*body), places=5)
    assert problem.startswith(f"f: {said}")


def test_the_validator_sees_into_nested_functions_and_kinds() -> None:
    assert problems(function(const(0), Return(0, 0), kind="class")) == ["f: Return in a class"]
    module = lower_unit(from_text("def g():\n    return lambda: x\n").units[0])
    inner = list(all_functions(module))[-1]
    inner.body.reverse()
    assert problems(module) == [
        "g.<locals>.<lambda>: Return reads %0 before it is written",
    ]


@pytest.mark.parametrize(
    "body",
    [
        [const(0), If(0, 0, [Copy(0, 1, 0)], [Copy(0, 1, 0)]), Return(0, 1)],
        [const(0), If(0, 0, [Copy(0, 1, 0)], [Raise(0, None)]), Return(0, 1)],
        [While(0, [const(0)], 0, [Break(0)], []), Return(0, 0)],
        [Try(0, [const(0)], (), [Return(0, 0)], [])],
        [LoadName(0, 0, "x"), For(0, 1, 0, [Return(0, 1), Return(0, 0)], [])],
    ],
)
def test_the_validator_accepts(body: list[Op]) -> None:
    assert problems(function(*body), places=1) == []


def test_walk_goes_into_bodies_in_the_order_of_the_text() -> None:
    text = """\
try:
    a
except b:
    for c in d: e
    else: f
else:
    while g: h
    else: i
finally:
    with j:
        if k: l
        else: m
"""
    ops = walk(lower_unit(from_text(text).units[0]).body)
    names = "".join(getattr(op, "name", "") for op in ops if type(op).__name__ == "LoadName")
    assert names == "abdefghijklm"


def test_every_op_can_be_printed() -> None:
    assert len(OP_TYPES) > 40
    text = render(function(const(0), Try(0, [], (Handler([], None, "e", [Break(0)]),), [], [])))
    assert text == (
        "function f()\n"
        "  %0 = Const True\n"
        "  Try\n"
        "    handler types=None name='e':\n"
        "      body:\n"
        "        Break\n"
    )
    assert render(function(const(0)), str) == "function f()\n  %0 = Const True  # 0\n"
