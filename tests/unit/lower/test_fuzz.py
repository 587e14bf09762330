"""Whatever the text: a file or a unit is refused by a SourceError, or lowered to well-formed IR."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from libcst import Module

from inplace_lint.ir.function import Site
from inplace_lint.ir.validate import problems
from inplace_lint.ir.walk import walk
from inplace_lint.lower import lower_unit, span_of
from inplace_lint.source import SourceError, from_text
from tests.harness import markdown

GOLDENS = Path(__file__).parents[2] / "lower"
PROGRAMS = [
    section.blocks[0].text
    for path in sorted(GOLDENS.glob("*.md"))
    for section in markdown.parse(path.read_text(encoding="utf-8"))
    if section.blocks
]
TOKENS = (
    *"()[]{}:;,.=+-*/@%&|^~<>\\\n\r\t\x0c\0'\"# ",
    *("\r\n", "\n    ", "\n  ", "**", ":=", "->", "!=", "...", "'''", 'f"', "t'", "{x}", "\\\n"),
    *("x", "y", "é", "1", "0x1", "1.", "2j", "'a'", "None", "self.x", "@d\n", "\ufeff", "\ud800"),
    *("if ", "elif ", "else:", "for ", "in ", "while ", "def f(", "class A", "lambda ", "return "),
    *(
        "try:",
        "except ",
        "finally:",
        "with ",
        "as ",
        "match x:\n case ",
        "import ",
        "from ",
        "del ",
    ),
    *(
        "async ",
        "await ",
        "yield ",
        "global ",
        "type X = ",
        "not ",
        "and ",
        "or ",
        "is ",
        "assert ",
    ),
)
COMPILER = ("outside a loop", "in a module", "in a class")
"""What only Python's compiler refuses, and the validator too."""


def check(text: str) -> None:
    file = from_text(text)
    assert file.error is None or file.units == []
    last = 0
    for unit in file.units:
        assert last < unit.first_line <= unit.last_line <= len(file.lines)
        last = unit.last_line
        try:
            function = lower_unit(unit)
        except SourceError as error:
            assert unit.first_line <= error.line <= len(file.lines) + 1
            continue
        assert [said for said in problems(function) if not said.endswith(COMPILER)] == []
        if isinstance(file.module, Module) and file.module.code != text:
            continue  # libcst does not give back a backslash before the first statement
        for op in walk(function.body):
            span = span_of(Site(unit, op.at))
            assert unit.first_line <= span.line <= span.end_line <= unit.last_line


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join))
def test_any_tokens(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PROGRAMS), max_size=3).map("".join), st.data())
def test_any_damage_to_a_program(program: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(program)))
    end = data.draw(st.integers(start, min(len(program), start + 9)))
    patch = data.draw(st.sampled_from((*TOKENS, "")))
    check(program[:start] + patch + program[end:])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PROGRAMS), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_units_alone_are_units_together(programs: list[str], end: str) -> None:
    alone = [unit for program in programs for unit in from_text(program).units]
    text = "\n# between\n\n".join(programs).replace("\n", end)
    together = from_text(text).units
    assert [set(unit.binds) for unit in together] == [set(unit.binds) for unit in alone]
    assert [unit.text.replace(end, "\n").rstrip() for unit in together] == [
        unit.text.rstrip() for unit in alone
    ]
