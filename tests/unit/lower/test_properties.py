"""What holds for the lowering of any code: the standard library is the sample."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from inplace_lint.ir.function import Function, Site
from inplace_lint.ir.ops import ImportStar, LoadName, MakeTuple, StoreName, Try
from inplace_lint.ir.validate import problems
from inplace_lint.ir.walk import all_functions, walk
from inplace_lint.lower import dispatch, lower_unit, span_of
from inplace_lint.lower.unit import lower
from inplace_lint.source import SourceError, from_text, read_source

LIBRARY = Path(os.__file__).parent
SKIPPED = {"site-packages", "test", "tests", "idle_test", "lib2to3", "turtledemo"}
FILES = sorted(
    path
    for path in LIBRARY.rglob("*.py")
    if not SKIPPED & set(path.relative_to(LIBRARY).parts) and path.stat().st_size < 60_000
)
SAMPLE = random.Random(0).sample(FILES, 150)
PARTS = [SAMPLE[start::10] for start in range(10)]


@pytest.fixture(autouse=True)
def _strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "STRICT", True)


@pytest.mark.parametrize("paths", PARTS, ids=range(10))
def test_the_standard_library_is_lowered_to_well_formed_code(paths: list[Path]) -> None:
    for path in paths:
        file = read_source(path)
        assert file.error is None
        for unit in file.units:
            function = lower_unit(unit)
            assert problems(function, len(lower(unit)[1])) == [], path
            assert set(unit.binds) == set(bound(function)), (path, unit.first_line)


def bound(function: Function) -> Iterator[str]:
    """The names that running a unit binds."""
    for op in walk(function.body):
        if isinstance(op, StoreName) and "@" not in op.name:
            yield op.name
        elif isinstance(op, ImportStar):
            yield "*"
        elif isinstance(op, Try):
            yield from (handler.name for handler in op.handlers if handler.name)


IMPLIED = {"AssertionError", "dict", "getattr", "isinstance", "len"}
"""Names that lowering reads though the program does not write them."""


@pytest.mark.parametrize("path", SAMPLE[:8], ids=lambda path: path.stem)
def test_every_position_lies_in_its_unit_and_every_name_at_its_own(path: Path) -> None:
    file = read_source(path)
    functions = [f for unit in file.units for f in all_functions(lower_unit(unit))]
    for function, op in ((inner, op) for inner in functions for op in walk(inner.body)):
        unit, span = function.unit, span_of(Site(function.unit, op.at))
        assert unit.first_line <= span.line <= span.end_line <= unit.last_line
        nothing = isinstance(op, MakeTuple) and not op.items  # its parentheses are left out
        assert span.end_line > span.line or span.end_column > span.column or nothing
        if isinstance(op, LoadName) and op.name not in IMPLIED:
            text = file.lines[span.line - 1][span.column - 1 : span.end_column - 1]
            assert text == op.name.partition("@")[0]


def test_names_are_all_that_is_mentioned_nested_functions_included() -> None:
    text = """\
@deco.a
def f(x: T = default):
    def g():
        y.attr(key=[z for z in w]).other = 1
    import m.n as o
    lambda: h
"""
    function = lower_unit(from_text(text).units[0])
    assert function.names == {*"afgyzwmnoh", "deco", "default", "attr", "key", "other"}


def test_an_unknown_node_raises_in_tests_and_is_opaque_in_the_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = {k: handler for k, handler in dispatch.EXPRESSIONS.items() if k is not cst.Await}
    monkeypatch.setattr(dispatch, "EXPRESSIONS", missing)
    text = "async def f(): return await x\n"
    with pytest.raises(NotImplementedError, match="Await"):
        lower_unit(from_text(text).units[0])
    monkeypatch.setattr(dispatch, "STRICT", False)
    (_, inner) = all_functions(lower_unit(from_text(text).units[0]))
    assert [type(op).__name__ for op in inner.body] == ["Opaque", "Return"]


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        (f"a = 1\nx = {'+'.join(['1'] * 20_000)}\n", "depth", 2),
        ("a = 1\n\n(x): int = 1\n", "parse", 3),
    ],
)
def test_a_unit_that_cannot_be_parsed_fails_alone_and_every_time(
    text: str, kind: str, line: int
) -> None:
    good, bad = from_text(text).units
    lower_unit(good)
    for _ in range(2):
        with pytest.raises(SourceError) as caught:
            lower_unit(bad)
        assert (caught.value.kind, caught.value.line) == (kind, line)


@pytest.mark.parametrize(
    "text",
    [
        f"x = a{'.b()' * 240}\n",
        f"x = {'+'.join(['1'] * 490)}\n",
        f"x = {'-' * 490}y\n",
        f"x = {'f(' * 190}1{')' * 190}\n",
        f"x = {'lambda: ' * 300}1\n",
        f"x = {'1 if a else ' * 400}1\n",
        "x = (" + '"a" ' * 2000 + ")\n",
        "if a: pass\n" + "elif b: pass\n" * 290,
        "match x:\n" + " case 1: pass\n" * 290,
        f"with {', '.join(['a'] * 300)}: pass\n",
        f"x = {'<'.join(['a'] * 400)}\n",
        f"def f(x: '{'(' * 3000}'): pass\n",
    ],
    ids=lambda text: text[:16].strip(),
)
def test_what_is_just_not_too_deep_is_lowered_and_has_positions(text: str) -> None:
    (unit,) = from_text(text).units
    assert problems(lower_unit(unit)) == []
    assert span_of(Site(unit, lower_unit(unit).at)).line == 1
