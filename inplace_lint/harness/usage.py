"""How a function uses its parameters: which attributes it reads, whether it calls them."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from collections.abc import Collection

    from inplace_lint.ir.function import Function

CALLED = "()"
ITERATED = "for"
INDEXED = "[]"

OBJECT_WORDS = (
    "model net network encoder decoder backbone module layer norm act fn func block head embed "
    "critic actor policy generator discriminator teacher student loss criterion optim optimizer "
    "dynamics controller agent env attention decoder vocab"
).split()


@functools.lru_cache(maxsize=64)
def uses_of(function: Function) -> dict[str, frozenset[str]]:
    """Parameter -> attribute names read from it, and `CALLED`, `ITERATED`, `INDEXED`."""
    names = {param.name for param in function.params}
    uses: dict[str, set[str]] = {name: set() for name in names}
    registers: dict[int, str] = {}
    for op in walk(function.body):
        if isinstance(op, ops.LoadName):
            if op.name in names:
                registers[op.out] = op.name
            continue
        used = _use(op)
        if used is not None and used[0] in registers:
            uses[registers[used[0]]].add(used[1])
    return {name: frozenset(found) for name, found in uses.items()}


READ = re.compile(r"(?<![\w.])([^\W\d]\w*)((?:\s*\.\s*\w+)*)\s*([(\[])?")


def reads_in(code: str) -> dict[str, set[str]]:
    """The ways a text reads each name: ".a.b", or "" where the name stands alone."""
    reads: dict[str, set[str]] = {}
    for name, chain, _ in READ.findall(code):
        reads.setdefault(name, set()).add("".join(chain.split()) if chain else chain)
    return reads


def uses_in(code: str, names: Collection[str]) -> dict[str, set[str]]:
    """The attributes of names in a text, and `CALLED`, `INDEXED`: rather too much."""
    uses: dict[str, set[str]] = {name: set() for name in names}
    for name, chain, bracket in READ.findall(code) if uses else ():
        if name in uses and chain:
            uses[name].add(chain.split(".")[1].strip())
        elif name in uses and bracket:
            uses[name].add(CALLED if bracket == "(" else INDEXED)
    return uses


def _use(op: ops.Op) -> tuple[int, str] | None:
    if isinstance(op, ops.GetAttr):
        return op.obj, op.name
    if isinstance(op, ops.Call):
        return op.func, CALLED
    if isinstance(op, ops.For):
        return op.iterable, ITERATED
    return (op.obj, INDEXED) if isinstance(op, ops.GetItem) else None


def looks_like_object(name: str, uses: frozenset[str]) -> bool:
    """Whether a constructor's argument is no number, by its use or its name."""
    if uses - {ITERATED, INDEXED}:
        return True
    last = name.lower().rpartition("_")[2].rstrip("0123456789")
    return any(last.startswith(word) or last.endswith(word) for word in OBJECT_WORDS)
