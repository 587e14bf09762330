"""One op of the rule table a program: its example, then a write to an operand or a result.

    a0 = (torch.rand(2, 3) + 0.1).requires_grad_()
    b0 = a0 * 1
    y = torch.norm(b0, 2, 1)
    with torch.no_grad():
        b0.zero_()
    total = one + y.sum().abs()
    total.backward()

The tensors of the example become names, each of which requires grad or not; the seed says which
row, which of them, what is written and how. Whether the row is right is PyTorch's to say.

`side` gives two programs a call: one that breaks, if any write to its tensors does, and one that
does not.
"""

from __future__ import annotations

import ast
import functools
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from inplace_lint.opdb import resolve
from tests.rulegen import examples

PRELUDE = """\
import torch
import torch.nn.functional as F
from torch import nn
from torch import optim
from torch.nn import init, utils

torch.manual_seed(0)
one = torch.ones((), requires_grad=True)
"""

MAKERS = {
    "t": "(torch.rand({}) * 0.8 + 0.1)",
    "tt": "(torch.rand({}) * 0.8 + 0.1).t()",
    "i": "torch.zeros({}, dtype=torch.long)",
    "b": "(torch.rand({}) > 0.5)",
    "c": "torch.complex(torch.rand({0}), torch.rand({0}))",
    "spd": "(torch.diag(torch.arange(1.0, {} + 1)) + 0.1)",
}
"""The makers of `tests.rulegen.examples` as the programs spell them."""

TARGETS = {"x": "t(2, 3)", "n": "i(2, 3)", "m": "b(2, 3)"}
WRITES = ("with torch.no_grad():\n    {}.zero_()", "{}.zero_()", "{}.detach().zero_()")


KNOWN = re.compile(r"\bsp\(|torch\.lobpcg|nn\.RReLU\(")
"""Calls left out (see `others.LEFT_OUT`).

Sparse tensors; lobpcg, which returns pieces of what its own Function saved; RReLU, whose noise
PyTorch writes after it was saved, so that every program looks silent.
"""


LISTS = re.compile(r"torch\.(rnn_tanh|rnn_relu|gru|lstm|chain_matmul|linalg\.multi_dot)\(")
"""What these keep of their lists hangs on which of them require grad: here all do."""


@functools.cache
def calls() -> list[str]:
    """Every call of every example, in the table's order."""
    names = sorted(resolve.table().ids())
    return list(dict.fromkeys(text for name in names for text in calls_of(name)))


def calls_of(name: str) -> list[str]:
    """The calls that try a row."""
    rule = resolve.row(name)
    found = [part.strip() for part in rule.example.split(";")] if rule is not None else []
    return [text for text in found if text and not KNOWN.search(text)]


@dataclass
class Hoister(ast.NodeTransformer):
    """Gives the tensors of an example names; `made` says how each is made."""

    made: list[tuple[str, str]] = field(default_factory=list)

    def visit_Call(self, node: ast.Call) -> Any:
        """A maker's call becomes a name."""
        if isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            return self._name(node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """`x`, `n`, `m` stand for tensors."""
        known = TARGETS.get(node.id)
        return self._name(ast.parse(known, mode="eval").body, node.ctx) if known else node

    def _name(self, made: Any, ctx: ast.expr_context | None = None) -> ast.Name:
        name = f"b{len(self.made)}"
        self.made.append((made.func.id, ", ".join(map(ast.unparse, made.args))))
        return ast.Name(name, ctx or ast.Load())


@dataclass(frozen=True, slots=True)
class Called:
    """A call as statements; `targets` are what may be written after it, `outputs` its results."""

    lines: list[str]
    targets: list[str]
    outputs: list[str]

    def written(self, write: str) -> str:
        """The program with a write between the call and backward."""
        total = " + ".join(["one", *(f"{name}.sum().abs()" for name in self.outputs)])
        body = [*self.lines, write, f"total = {total}", "total.backward()"]
        return PRELUDE + "\n".join([*body, ""])


def program(seed: int) -> str:
    """The program of a seed."""
    rng = random.Random(seed)
    text = calls()[seed % len(calls())]
    share = 1.0 if LISTS.match(text) else 0.6
    called = _called(text, lambda: rng.random() < share)
    if not called.targets:
        return called.written("pass")
    write = rng.choice(WRITES)
    return called.written(write.format(rng.choice(called.targets)))


def side(seed: int) -> str:
    """Of every call a program that breaks (even seeds) and one that does not (odd ones)."""
    called = _called(calls()[seed // 2 % len(calls())], lambda: True)
    writes = [f"{name}.detach().zero_()" for name in called.targets]
    texts = [called.written(write) for write in writes or ["pass"]]
    return next((text for text in texts if _breaks(text) != bool(seed % 2)), texts[-1])


def _breaks(text: str) -> bool:
    try:
        exec(text, {})
    except Exception as error:
        return "modified by an inplace operation" in str(error)
    return False


def _called(text: str, tracked: Callable[[], bool]) -> Called:
    hoister = Hoister()
    tree = hoister.visit(ast.parse(text))
    lines, names = _operands(hoister.made, tracked)
    statement = ast.unparse(tree)
    result = isinstance(tree.body[0], ast.Expr)
    lines.append(f"y = {statement}" if result else statement)
    outputs = _outputs(lines) if result else names
    return Called(lines, [*names, *(outputs if result else [])], outputs)


def _operands(
    made: list[tuple[str, str]], tracked: Callable[[], bool]
) -> tuple[list[str], list[str]]:
    lines, names = [], []
    for number, (maker, args) in enumerate(made):
        name, value = f"b{number}", MAKERS[maker].format(args or "()")
        if maker in {"t", "tt", "c", "spd"} and tracked():
            lines += [f"a{number} = {value}.requires_grad_()", f"{name} = a{number} * 1"]
        else:
            lines.append(f"{name} = {value}")
        names.append(name)
    return lines, names


def _outputs(lines: list[str]) -> list[str]:
    """The tensors in the result, by the expressions that give them."""
    space: dict[str, Any] = {}
    try:
        exec(PRELUDE + "\n".join(lines), space)
    except Exception:
        return []
    value = space["y"]
    if isinstance(value, torch.Tensor):
        return ["y"]
    if not isinstance(value, (tuple, list)):
        return []
    return [f"y[{n}]" for n, item in enumerate(value) if isinstance(item, torch.Tensor)]


assert set(MAKERS) < set(examples.NAMES)
