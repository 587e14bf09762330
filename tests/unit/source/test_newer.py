"""The index by libcst tells what the one by `ast` tells, its judgement of writes apart."""

from __future__ import annotations

from typing import Any

import pytest

from inplace_lint.source.errors import SourceError
from inplace_lint.source.index import Piece, index_by_ast
from inplace_lint.source.newer import index_by_libcst
from inplace_lint.source.parts import Part
from tests.harness import corpus

CASES = {case.name: case.program.folder / case.program.main for case in corpus.cases()}
ODD = """\
import a.b, c.d as e, f
from . import g
from ..h.i import (j as k, l)
from m import *
if x:
    import n
@deco(
    1)
# note
class A(B, metaclass=C):
    import o
    @property
    def p(self, /, q: "torch.Tensor", *r, s: int = 1, **t): return lambda u: u

    v = 1; w: int = 2
    async def init_weights(self):
        def inner(x: Optional[torch.Tensor]): from y import z
    def one(self): pass; two = 3
    class Nested:
        def not_a_method(self): pass
def f(a, b=1): pass
async def g(*, c: List[int]): pass
for h in (i := []): pass
else: h2 = 1
try: import q1
except E as e1: pass
with a as (b, c), d as e[0]: pass
match x:
    case {"k": v, **rest} | [v, *rest]: pass
    case A(y=z) as w: pass
x = y = 1
"""


def told(pieces: list[Piece]) -> list[tuple[Any, ...]]:
    """All but what only `ast` can tell."""
    return [
        (p.first_line, p.last_line, p.kind, set(p.binds), [_told(part) for part in p.parts or ()])
        for p in pieces
    ]


def _told(part: Part) -> tuple[Any, ...]:
    imports = [(i.bound, i.module, i.level, i.name) for i in part.imports]
    return part.name, part.lines, part.quiet, sorted(part.params), part.tensors, sorted(imports)


@pytest.mark.parametrize("name", [*CASES, "odd"])
def test_as_ast_tells(name: str) -> None:
    text = ODD if name == "odd" else CASES[name].read_text(encoding="utf-8")
    by_libcst = index_by_libcst(text, SourceError("refused"))
    assert told(by_libcst) == told(index_by_ast(text))
    assert all(p.stores and p.builds for q in by_libcst for p in q.parts or () if not p.quiet)


@pytest.mark.parametrize("text", ['x = "a" b"b"\n', 'def f():\n    return f"{a}" b"b"\n'])
def test_what_only_a_check_of_nodes_refuses(text: str) -> None:
    with pytest.raises(SourceError):
        index_by_libcst(text, SourceError("refused"))
