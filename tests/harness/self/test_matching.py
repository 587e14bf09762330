"""Matching: each kind of difference is told, and agreement is silence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lint.diagnostic import Diagnostic, Leg, Span
from tests.harness import literate
from tests.harness.matching import Answer, Revealed, mismatches

PROGRAM = """# T
## case
```python
y = x.exp()  # leg: saved
y += 1  # error: IPA101 [certain] "changed"
reveal(y)  # revealed: version 1
```
"""
(CASE,) = literate.cases(PROGRAM)
FOUND = Diagnostic(
    span=Span("program.py", 2, 1, 2, 7),
    code="IPA101",
    name="saved-result-mutated",
    kind="saved-modified",
    confidence="certain",
    message="`y` is changed",
    assumes=None,
    legs=(Leg("saved", Span("program.py", 1, 5, 1, 12), "exp() saves its result"),),
    help="",
)
TOLD = Revealed("program.py", 3, "version 1")
RIGHT = Answer((FOUND,), (TOLD,))
ELSEWHERE = replace(FOUND, span=Span("program.py", 3, 1, 3, 2))


def test_agreement_is_silence() -> None:
    assert mismatches(CASE, RIGHT) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (replace(RIGHT, diagnostics=()), ["1: no leg says saved", "2: expected IPA101, not found"]),
        (replace(RIGHT, diagnostics=(FOUND, ELSEWHERE)), ["3: unexpected IPA101 [certain]"]),
        (replace(RIGHT, diagnostics=(FOUND, FOUND)), ["2: unexpected IPA101 [certain]"]),
        (replace(RIGHT, diagnostics=(replace(FOUND, code="IPA102"),)), ["2: expected", "2: unex"]),
        (replace(RIGHT, diagnostics=(replace(FOUND, confidence="likely"),)), ["2: expected certa"]),
        (replace(RIGHT, diagnostics=(replace(FOUND, message="!"),)), ["2: expected 'changed' in"]),
        (replace(RIGHT, diagnostics=(replace(FOUND, legs=()),)), ["1: no leg says saved"]),
        (replace(RIGHT, revealed=()), ["3: expected 'version 1', revealed []"]),
        (replace(RIGHT, revealed=(replace(TOLD, text="?"),)), ["3: expected 'version 1', rev"]),
        (replace(RIGHT, revealed=(TOLD, replace(TOLD, line=1))), ["1: revealed ['version 1']"]),
    ],
)
def test_each_difference_is_told_at_its_line(answer: Answer, said: list[str]) -> None:
    wrong = mismatches(CASE, answer)
    assert len(wrong) == len(said)
    for line, start in zip(wrong, said, strict=True):
        assert line.startswith(f"program.py:{start}")


def test_tool_errors_are_told() -> None:
    assert mismatches(CASE, replace(RIGHT, errors=("broke",))) == ["not analysed: broke"]


def test_possible_findings_count_only_where_they_are_asked_for() -> None:
    hidden = replace(FOUND, confidence="possible")
    silent, asked = (
        literate.cases(f"# T\n## c\n```python\n\ny += 1{mark}\n```\n")[0]
        for mark in ("", "  # error: IPA101 [possible]")
    )
    assert mismatches(silent, Answer((hidden,))) == []
    assert mismatches(asked, Answer((hidden,))) == []
    assert mismatches(asked, Answer((FOUND,))) == ["program.py:2: expected possible, got certain"]
    (plain,) = literate.cases("# T\n## c\n```python\n\ny += 1  # error: IPA101\n```\n")
    assert mismatches(plain, Answer((hidden,))) == ["program.py:2: expected IPA101, not found"]
