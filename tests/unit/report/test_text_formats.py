"""The formats people read: full, concise; nothing from a file reaches the terminal raw."""

from __future__ import annotations

import re

import pytest

from inplace_lint.diagnostic import Diagnostic, Leg, Span
from inplace_lint.report import registry
from inplace_lint.report.terminal import printable, width
from tests.unit.report import samples

FULL_SIMPLE = """\
IPA101 `y` is changed in place after exp() saved it for backward
 --> model.py:4:1
  |
3 | y = x.exp()
  |     ------- saved here: exp() saves its result
4 | y.add_(10)
  | ^^^^^^^^^^ changed here: add_() changes it in place
5 | y.sum().backward()
  | ------------------ needed here: backward needs it here
  |
  = help: write `y = y.add(10)`
  = fix: safe: add has no side effect

"""

FULL_AWKWARD = """\
IPA102 [likely] `w` is changed <here> & ␛[2J after ::exp()
 --> dir/odd name,:%.py:6:11
  |
2 |     z = '😀é'; w = x.exp()
  |                    ------- saved here: exp() saves <it>
...
6 |     '文' ; w.add_(1)  # ␛[31m␇
  |            ^^^^^^^^^ changed here: add_() changes it
  |
 ::: gone.py:9:1
  = line 9: needed here: returned from forward()
 ::: other.py:2:5
  |
2 |     t.add_(1)
  |     --------- called here: through this call
  |
  = assumes: x requires grad
  = help: write w = w + 1

"""


def rendered(name: str, *findings: Diagnostic, colour: bool = False, errors=()) -> str:
    return registry.find(name).render(samples.run(*findings, errors=errors), colour)


def test_full():
    assert rendered("full", samples.simple()) == FULL_SIMPLE
    assert rendered("full", samples.awkward()) == FULL_AWKWARD


def test_colours_change_no_letter():
    coloured = rendered("full", samples.simple(), samples.awkward(), colour=True)
    assert "\x1b[1;31m^^^^^^^^^^" in coloured
    plain = rendered("full", samples.simple(), samples.awkward())
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_carets_stand_under_the_span_in_cells():
    lines = rendered("full", samples.awkward()).split("\n")
    source = next(line for line in lines if "w.add_(1)" in line)
    carets = lines[lines.index(source) + 1]
    assert width(source[: source.index("w.add_")]) == carets.index("^")


def test_long_lines_are_cut_around_the_span():
    at = Span("dir/odd name,:%.py", 7, 201, 7, 208)
    found = Diagnostic(at, "IPA101", "", "", "certain", "m", None, (Leg("mutated", at, "w"),), "")
    text = rendered("full", found)
    assert max(map(len, text.split("\n"))) < 160
    assert "…" in text and ".add_(1)" in text


def test_several_labels_on_one_line_and_over_lines():
    at, saved = Span("model.py", 3, 1, 5, 4), Span("model.py", 3, 5, 3, 12)
    legs = (Leg("saved", saved, "s"), Leg("mutated", at, "m"))
    found = Diagnostic(at, "IPA101", "", "", "certain", "m", None, legs, "")
    assert rendered("full", found).split("\n")[3:6] == [
        "3 | y = x.exp()",
        "  | ^^^^^^^^^^^... changed here: m",
        "  |     ------- saved here: s",
    ]


def test_a_span_outside_of_the_text_breaks_nothing():
    at = Span("model.py", 400, 1, 400, 4)
    found = Diagnostic(at, "IPA101", "", "", "certain", "m", None, (Leg("mutated", at, "w"),), "")
    assert "model.py:400:1" in rendered("full", found)


def test_concise():
    assert rendered("concise", samples.simple(), samples.awkward(), errors=samples.ERRORS) == (
        "bad.py:1:7: IPA001 invalid syntax\n"
        "dir/odd name,:%.py:6:11: IPA102 `w` is changed <here> & ␛[2J after ::exp()"
        " [likely: if x requires grad]\n"
        "model.py:4:1: IPA101 `y` is changed in place after exp() saved it for backward\n"
    )


@pytest.mark.parametrize("name", [n for n in registry.names() if registry.find(n).for_people])
def test_nothing_can_break_out(name):
    text = rendered(name, samples.awkward(), errors=samples.ERRORS)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("a\tb\x1b[0m", "a␉b␛[0m"),
        ("\x7f\x9b", "␡<U+009B>"),
        ("a\u202eb\u2028", "a<U+202E>b<U+2028>"),
        ("\udcff", "<U+DCFF>"),
        ("é文😀", "é文😀"),
    ],
)
def test_printable(raw, safe):
    assert printable(raw) == safe
