"""The identifiers that `ast` tells are those that lowering finds, but for those it adds itself."""

from __future__ import annotations

import pytest

from inplace_lint import lower
from inplace_lint.source import from_text
from inplace_lint.source.mentions import mentions

CODE = [
    "def f(x: Tensor, *rest: int, k=default) -> Result:\n    y: Kind = x.relu(dim=1)\n    z: int\n",
    "@register('name')\nclass A(Base):\n    n = 1\n    def g(self):\n        super().g()\n",
    "def f(d):\n    global n\n    n = d['key'].value\n    n += 1\n    del n, d.a, d[b]\n",
    "def f():\n    import a.b as c, d.e\n    from .g.h import i as j, k\n",
    "def f(p):\n    match p:\n"
    "        case Point(x=0, y=[*rest, last]) as whole:\n            pass\n"
    "        case {'k': v, **others}:\n            assert v\n",
    "try:\n    x = (y := f'{a.b:{width}}')\nexcept (Wrong, m.Worse) as error:\n    raise error\n",
    "rows = [a for a, *_ in pairs if (lambda q: q.c)(a)] + [b async for b in c] if t else None\n",
    "# comment\nname = 'text'  # other\n",
]
ADDED = {"", "AssertionError", "dict", "isinstance", "len"}


@pytest.mark.parametrize("text", CODE)
def test_they_are_those_of_the_lowered_code(text: str) -> None:
    (unit,) = from_text(text).units
    assert (unit.mentions or set()) - ADDED == lower.lower_unit(unit).names - ADDED


def test_what_ast_does_not_read_has_none() -> None:
    assert mentions("def f(:\n") is None
