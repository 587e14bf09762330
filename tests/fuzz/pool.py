"""Ops of the rule table as templates over 3 x 3 matrices: `torch.atan2(A, B)`, `V.mul_(B)`.

Each example of the table whose tensors may as well be 3 x 3 is one; PyTorch says which are.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from tests.fuzz import rows

FIXED = {"i": "idx", "b": "m"}
"""The index matrix and the mask that programs define."""

CHANGED_ELSEWHERE = ("rand", "bernoulli", "dropout", "multinomial", "poisson", "rrelu", "empty")
"""Random results and uninitialised memory: no two runs agree."""

GONE = (
    "_add_relu",
    "_dirichlet",
    "_logcumsumexp",
    "acosh_",
    "atanh_",
    "cholesky(",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "multi_dot",
    "chain_matmul",
    "reduce=",
    "resize",
    "requires_grad_",
    "detach_",
    "set_",
    "share_memory_",
    "slice_inverse",
    "vander",
    "rename",
    "to_mkldnn",
)
"""Ops after which the matrix is none, or not the same, or a view with another's history."""


@dataclass(frozen=True, slots=True)
class Pool:
    """`values` give a matrix, `odd` a float tensor of another shape, `writes` change `V`."""

    values: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)


class Filler(ast.NodeTransformer):
    """The tensors of an example become A, B, then A again; int and bool ones are fixed."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Call(self, node: ast.Call) -> Any:
        """A maker's call becomes a name."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in FIXED:
            return ast.Name(FIXED[name], ast.Load())
        if name in rows.MAKERS:
            self.count += 1
            return ast.Name("B" if self.count == 2 else "A", ast.Load())
        return self.generic_visit(node)


@functools.cache
def pool() -> Pool:
    """All of them, in the table's order."""
    found = Pool()
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in dict.fromkeys(map(_filled, rows.calls())):
            _sort(found, text)
    return found


def _filled(text: str) -> str:
    if any(word in text for word in (*CHANGED_ELSEWHERE, *GONE)):
        return ""
    tree = ast.parse(text)
    filler = Filler()
    filled = filler.visit(tree)
    single = len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)
    return ast.unparse(filled) if filler.count and single else ""


def _sort(found: Pool, text: str) -> None:
    space: dict[str, Any] = {
        "torch": torch,
        "nn": nn,
        "F": functional,
        "A": torch.rand(3, 3),
        "B": torch.rand(3, 3),
        "idx": torch.zeros(3, 3, dtype=torch.long),
        "m": torch.eye(3).bool(),
    }
    space["A"].requires_grad_()
    space["A"], before = space["A"] * 1, space["A"]._version
    try:
        value = eval(text or "None", space)
    except Exception:
        return
    if space["A"]._version != before:
        found.writes.append(re.sub(r"\bA\b", "V", text, count=1))
    elif _is_matrix(value):
        found.values.append(text)
    elif isinstance(value, tuple) and value and _is_matrix(value[0]):
        found.values.append(f"{text}[0]")
    elif isinstance(value, torch.Tensor) and value.dtype == torch.float32:
        found.odd.append(text)


def _is_matrix(value: object) -> bool:
    return (
        isinstance(value, torch.Tensor)
        and value.shape == (3, 3)
        and value.dtype == torch.float32
        and value.layout == torch.strided
    )
