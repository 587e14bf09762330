"""Units: where they lie, what they bind; errors of files."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest

from inplace_lint.source import SourceFile, Unit, from_text


def units(text: str) -> list[Unit]:
    file = from_text(text)
    assert file.error is None, file.error.message
    return file.units


def described(text: str) -> list[tuple[int, int, str, tuple[str, ...]]]:
    return [(u.first_line, u.last_line, u.kind, u.binds) for u in units(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n\ny = 2", [(1, 1, "statement", ("x",)), (3, 3, "statement", ("y",))]),
        ("x = 1; import a.b; y = 2\n", [(1, 1, "statement", ("x", "a", "y"))]),
        ("import a; from b import c as d, e\n", [(1, 1, "import", ("a", "d", "e"))]),
        ("x = 1; \\\n y = (\n2)\n", [(1, 3, "statement", ("x", "y"))]),
        ("x = 1  # \\\ny = 2\n", [(1, 1, "statement", ("x",)), (2, 2, "statement", ("y",))]),
        ("x = '''\n'''; y = 1\n", [(1, 2, "statement", ("x", "y"))]),
        ("# note\n@a\n@b(\n 1)\ndef f(): pass\n", [(2, 5, "def", ("f",))]),
        ("@(\n a\n)\nasync def f(): pass\n", [(1, 4, "def", ("f",))]),
        ("@a\nclass A:\n    x = 1\n    def f(self): pass\n", [(1, 4, "class", ("A",))]),
        ("from a import *\n", [(1, 1, "import", ("*",))]),
        ("a, (b, *c), d.e, f[0] = x\n", [(1, 1, "statement", ("a", "b", "c"))]),
        ("x: int; y: int = 1; z += 1\n", [(1, 1, "statement", ("y", "z"))]),
        ("f(a := 1, lambda: (b := 2), [c := d for d in e])\n", None),
        ("def f(x=(a := 1)):\n    b = (c := 2)\n", [(1, 2, "def", ("f", "a"))]),
        ("", []),
        ("# only a comment\n", []),
    ],
)  # fmt: skip
def test_units(text: str, expected: list[tuple[int, int, str, tuple[str, ...]]] | None) -> None:
    if expected is None:
        assert set(units(text)[0].binds) == {"a", "c"}
    else:
        assert described(text) == expected


def test_bindings_look_into_compound_statements() -> None:
    text = """\
if a:
    import b
elif c:
    def d(): e = 1
else:
    class f: g = 1
try:
    h = 1
except E as i:
    j = 1
else:
    k = 1
finally:
    l = 1
for m, n in o:
    p = 1
else:
    q = 1
while r:
    s = 1
with t as u, v as (w, x):
    y = 1
match z:
    case [aa, *ab] | {'k': ac, **ad}: ae = 1
    case A(b=af) as ag: pass
"""
    (branch, attempt, loop, again, context, match) = units(text)
    assert set(branch.binds) == {"b", "d", "f"}
    assert set(attempt.binds) == {"h", "i", "j", "k", "l"}
    assert set(loop.binds) == {"m", "n", "p", "q"}
    assert set(again.binds) == {"s"}
    assert set(context.binds) == {"u", "w", "x", "y"}
    assert set(match.binds) == {"aa", "ab", "ac", "ad", "ae", "af", "ag"}


def test_a_name_may_be_bound_by_several_units() -> None:
    file = from_text("x = 1\nfrom a import *\nx = 2\nfrom b import *\n")
    first, star, second, other = file.units
    assert file.bindings == {"x": [first, second], "*": [star, other]}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_where_python_ends_them(end: str) -> None:
    text = f"a = '\u2028\x0c\x1c'{end}def f():{end}    return 1{end}{end}b = 2{end}"
    file = from_text(text)
    assert file.lines == ["a = '\u2028\x0c\x1c'", "def f():", "    return 1", "", "b = 2", ""]
    assert [unit.text for unit in file.units] == [
        f"a = '\u2028\x0c\x1c'{end}",
        f"def f():{end}    return 1{end}",
        f"b = 2{end}",
    ]


def test_words_are_all_identifiers_of_the_text() -> None:
    (unit,) = units("x.add_(1, größe=2)  # torch\n")
    assert unit.words == {"x", "add_", "größe", "torch"}


def test_no_warning_and_no_libcst() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert from_text("x = '\\d'; y = 1 is 1\n").error is None
    code = "import sys; from inplace_lint.source import from_text; from inplace_lint import lower; "
    code += "from_text('x = 1'); print('libcst' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# ---- what can't be parsed ------------------------------------------------------------------


def failure(file: SourceFile) -> tuple[str, int, int]:
    assert file.error is not None
    assert file.units == []
    return file.error.kind, file.error.line, file.error.column


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x = 1\ny = )\n", (2, 5)),
        ("type X = int\ny = )\n", (2, 5)),
        ("def f(:\n", (1, 7)),
        ("x = '\0'\n", (1, 1)),
        ("x = '\ud800'\n", (1, 1)),
        ("print 'x'\n", (1, 1)),
    ],
)
def test_what_is_not_python_is_refused(text: str, place: tuple[int, int]) -> None:
    kind, line, column = failure(from_text(text))
    assert kind == "parse"
    assert line == place[0]
    assert "\0" in text or column == place[1]


NEWEST = """\
type X[T] = list[T]

@deco
def f[T: int = int](x: T) -> T:
    return x

class A[*Ts, **P]: pass
try: y = 1
except B, C: pass
else: z, *w = t'{y}'
lazy import a.b
lazy from a import c as d
with e as g: h += 1; i: int = 1
for j in (k := [(o := l) for l in m]): n: int
x = 1; y = 2
from o import *
"""


def test_grammar_newer_than_the_running_python_is_indexed_all_the_same() -> None:
    assert described(NEWEST) == [
        (1, 1, "statement", ("X",)),
        (3, 5, "def", ("f",)),
        (7, 7, "class", ("A",)),
        (8, 10, "statement", ("y", "z", "w")),
        (11, 11, "import", ("a",)),
        (12, 12, "import", ("d",)),
        (13, 13, "statement", ("g", "h", "i")),
        (14, 14, "statement", ("j", "k", "o")),
        (15, 15, "statement", ("x", "y")),
        (16, 16, "import", ("*",)),
    ]


def nest(depth: int, statement: str, indent: str = " ") -> str:
    lines = [f"{indent * level}{statement}" for level in range(depth)]
    return "\n".join([*lines, f"{indent * depth}pass"]) + "\n"


DEEP = [
    f"x = {'(' * 3000}1{')' * 3000}\n",
    f"x = {'-' * 10_000}1\n",
    f"x = {'not ' * 10_000}1\n",
    f"x = {'lambda: ' * 5000}1\n",
    f"x = {'+'.join(['1'] * 20_000)}\n",
    f"x = {' and '.join(['a'] * 20_000)}\n",
    f"x = a{'.b()' * 5000}\n",
    f"x = a{'[0]' * 5000}\n",
    f"@a\n@b\ndef x():\n    return (\n    {'-' * 3000}1)\n",
    "if a: pass\n" + "elif b: pass\n" * 3000 + "else: x = 1\n",
    nest(150, "if a:"),
]


@pytest.mark.parametrize("text", DEEP, ids=lambda text: text[:16].strip())
@pytest.mark.parametrize("before", ["y = (\n1)\n", 'type Y = """\nx"""\n'], ids=["old", "new"])
def test_a_deep_unit_costs_itself_alone(text: str, before: str) -> None:
    first, deep, last = units(f"{before}{text}@a\n@b\n# note\ndef z(): pass\n")
    assert [first.deep, deep.deep, last.deep] == [False, True, False]
    assert (first.text, last.kind, last.binds) == (before, "def", ("z",))
    assert deep.text == text
    assert text.startswith("if") or deep.binds == ("x",)


@pytest.mark.parametrize("text", DEEP[:4], ids=lambda text: text[:16].strip())
def test_a_file_that_is_deep_all_over_is_refused(text: str) -> None:
    assert failure(from_text(text))[0] == "depth"


@pytest.mark.parametrize("text", ["x = )\n", "x = '''\n", "def f(:\n"])
def test_a_file_both_deep_and_broken_is_refused(text: str) -> None:
    assert failure(from_text(DEEP[1] + text))[0] == "depth"


def test_long_is_not_deep() -> None:
    text = f"x = [{'a.b(c + 1), ' * 2000}]\ny = {{{'-1: (2,), ' * 2000}}}\n"
    assert [unit.deep for unit in units(text)] == [False, False]


def deeply(depth: int, text: str) -> SourceFile:
    """`from_text` by a caller that stands `depth` frames down."""
    return from_text(text) if depth == 0 else deeply(depth - 1, text)


def test_how_deep_the_caller_stands_does_not_matter() -> None:
    text = f"x = {'(' * 100}1{')' * 100} + {'+'.join(['1'] * 200)}\n"
    frames = sum(1 for _ in iter_frames())
    for room in (100, 60, 40):
        assert deeply(sys.getrecursionlimit() - frames - room, text).error is None


def iter_frames() -> list[object]:
    frame, frames = sys._getframe(), []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return frames
