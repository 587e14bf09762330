"""`span_of` says exactly where an op stands, as PositionProvider would."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from inplace_lint.diagnostic import Span
from inplace_lint.ir.function import Function, Site
from inplace_lint.ir.ops import Op
from inplace_lint.ir.walk import all_functions, walk
from inplace_lint.lower import lower_unit, span_of
from inplace_lint.lower.unit import lower
from inplace_lint.source import SourceFile, from_text
from inplace_lint.source.cst import positions
from tests.harness import markdown

GOLDENS = Path(__file__).parents[2] / "lower"


def functions(file: SourceFile) -> list[Function]:
    return [f for unit in file.units for f in all_functions(lower_unit(unit))]


def text_at(file: SourceFile, span: Span) -> str:
    """The text that a span covers."""
    start = file.starts[span.line - 1] + span.column - 1
    return file.text[start : file.starts[span.end_line - 1] + span.end_column - 1]


def texts(program: str, kind: str) -> list[str]:
    """What the ops of a kind cover, in order."""
    file = from_text(program)
    assert file.error is None
    return [
        text_at(file, span_of(Site(function.unit, op.at)))
        for function in functions(file)
        for op in walk(function.body)
        if type(op).__name__ == kind
    ]


@pytest.mark.parametrize(
    ("program", "kind", "covered"),
    [
        ("(x).y ( a ) . add_( 1 ) # note", "Call", ["(x).y ( a )", "(x).y ( a ) . add_( 1 )"]),
        ("(x.exp())", "Call", ["x.exp()"]),
        ("x  +=  (1)  # note", "InPlace", ["x  +=  (1)"]),
        ("x  +=  (1) ; y", "StoreName", ["x  +=  (1)"]),
        ("x[0].y += 1", "SetAttr", ["x[0].y += 1"]),
        ("x[0] += 1", "SetItem", ["x[0] += 1"]),
        ("x[0] += 1", "GetItem", ["x[0]"]),
        ("if a:\n  x[0], y.z = (\n    1, 2)  # note\n", "SetItem", ["x[0], y.z = (\n    1, 2)"]),
        ("if a:\n    x[0], y.z = 1\n", "SetAttr", ["x[0], y.z = 1"]),
        ("x.y = 1", "SetAttr", ["x.y = 1"]),
        ("del x . y", "DelAttr", ["del x . y"]),
        ("z = (x) . y", "GetAttr", ["(x) . y"]),
        ("(a + b) * c", "Binary", ["a + b", "(a + b) * c"]),
        ("not (a < b)", "Compare", ["a < b"]),
        ("not (a < b)", "Unary", ["not (a < b)"]),
        ("f(- 1)", "Const", ["- 1"]),
        ("f('a' 'b', f'{x}' 'c')", "Const", ["'a' 'b'"]),
        ("f('a' 'b', f'{x}' 'c')", "Text", ["f'{x}' 'c'"]),
        ("if (a): pass\nelif b and c: pass\n", "If", ["a", "b and c", "b and c"]),
        ("while (a): pass", "While", ["a"]),
        ("for (x) in (y): pass", "For", ["x) in (y"]),
        ("for x, y in z : pass", "For", ["x, y in z"]),
        ("for x.y in z : pass", "SetAttr", ["x.y"]),
        ("with a() as b, c: pass", "With", ["a() as b", "c"]),
        ("with a as b.c: pass", "SetAttr", ["a as b.c"]),
        ("def f():\n    return  x # note", "Return", ["return  x"]),
        ("@a(b)\n@c\ndef f(x=1): pass", "MakeFunction", ["f"]),
        ("@a(b)\n@c\ndef f(x=1): pass", "Call", ["a(b)", "c", "a(b)"]),
        ("class A(B): pass", "MakeClass", ["A"]),
        ("f(lambda x: x)", "MakeFunction", ["lambda x: x"]),
        ("f(x for x in y if z)", "MakeList", ["x for x in y if z"]),
        ("f(x for x in y if z)", "For", ["x in y"]),
        ("f(x for x in y if z)", "Append", ["x"]),
        ("try: pass\nfinally: pass", "Try", ["try"]),
        ("match x:\n  case [a, _] if a: pass\n", "If", ["[a, _]", "[a, _]", "[a, _]"]),
        ("async def f():\n    await x . y", "Copy", ["await x . y"]),
        ("import a.b ; x", "Import", ["import a.b"]),
        ("from a import (b,\n  c) # note", "ImportFrom", ["from a import (b,\n  c)"] * 2),
        ("x = (y :=  1)", "StoreName", ["y :=  1", "x = (y :=  1)"]),
        ("raise A() from b", "Raise", ["raise A() from b"]),
        ("x[a:b, c]", "MakeSlice", ["x[a:b, c]"]),
    ],
)  # fmt: skip
def test_conventions(program: str, kind: str, covered: list[str]) -> None:
    assert texts(program, kind) == covered


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "program",
    [
        "a = 1\n\n# note\n\ndef f():\n    é = '😀\u2028'; x . add_( 1 )\n",
        "s = '''\n\n'''; x . add_( 1 )\n",
        "if a:\n\tx . add_( 1 )\n",
        "\x0c\nx . add_( 1 )\n",
        "class A:\n  def f(self):\n        '''\ndoc\n  '''\n        x . add_( 1 ) ; y\n",
        "f(\n  # note\n  a, x \\\n   . add_( 1 ), b\n)\n",
        "@deco  # note\n# note\ndef f():\n    f'{x . add_( 1 )!r:>{y}}'\n",
        "type X = int\n@(\n  d)\ndef f[T](): x . add_( 1 )\n",
    ],
)
def test_columns_are_code_points_and_lines_those_of_the_file(program: str, end: str) -> None:
    file = from_text(program.replace("\n", end), "shown.py")
    spans = [
        span_of(Site(function.unit, op.at))
        for function in functions(file)
        for op in walk(function.body)
        if type(op).__name__ == "Call"
    ]
    (span,) = [span for span in spans if text_at(file, span).startswith("x ")]
    assert text_at(file, span).replace("\\", "").split() == ["x", ".", "add_(", "1", ")"]
    assert span.path == "shown.py"
    assert file.lines[span.end_line - 1][: span.end_column - 1].endswith(". add_( 1 )")


def test_a_unit_that_does_not_parse_alone_is_taken_from_the_whole_file() -> None:
    program = "if a:\n  x = 1\n  y.add_(1)\n"
    file = from_text(program)
    unit = file.units[0]
    unit.first_line = 2  # as if the index had cut it wrongly
    assert [type(op).__name__ for op in lower_unit(unit).body] == ["LoadName", "If"]
    assert texts(program, "Call") == ["y.add_(1)"]
    assert span_of(Site(unit, unit_op(unit.file).at)).line == 3


def unit_op(file: SourceFile) -> Op:
    (call,) = [op for op in walk(lower_unit(file.units[0]).body) if type(op).__name__ == "Call"]
    return call


PROGRAMS = [
    pytest.param(section.blocks[0].text, id=f"{path.stem}: {section.name}")
    for path in sorted(GOLDENS.glob("*.md"))
    for section in markdown.parse(path.read_text(encoding="utf-8"))
    if section.blocks
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_ranges_are_those_of_position_provider(program: str) -> None:
    for unit in from_text(program).units:
        _, nodes, module, _ = lower(unit)
        assert_same_ranges(module, nodes)


def assert_same_ranges(module: cst.Module, nodes: list[cst.CSTNode]) -> None:
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    known = wrapper.resolve(PositionProvider)
    blocks = (cst.BaseCompoundStatement, cst.SimpleStatementLine, cst.CompFor, cst.MatchCase)
    wanted = [node for node in nodes if not isinstance(node, blocks)]
    found = positions(module, wanted)
    for node in wanted:
        place = known[node]
        assert found[id(node)] == (
            place.start.line,
            place.start.column,
            place.end.line,
            place.end.column,
        )


def test_long_chains_have_positions_too() -> None:
    program = f"x = a{'.b()' * 200}\ny = {'+'.join(['c'] * 400)}\n"
    assert texts(program, "StoreName") == program.splitlines()


def test_without_positions_a_site_is_its_unit_s_first_line() -> None:
    file = from_text(f"a = 1\n\nx = ({'+'.join(['1'] * 20_000)})\n", "shown.py")
    span = span_of(Site(file.units[1], 7))
    assert (span.path, span.line, span.column, span.end_line) == ("shown.py", 3, 1, 3)
    assert span.end_column == len(file.lines[2]) + 1
