"""Marking a linter's answer to a case: found, kind, legs, strays, false alarms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import corpus
from tests.harness.corpus import Case, Finding, Marks
from tests.harness.oracle import Program

BROKEN = Case(
    name="forum/a",
    program=Program(Path(), "a.py", ("a.py",)),
    outcome="saved-modified",
    mutated=(5,),
    saved=(4,),
    backward=(9,),
)
CLEAN = replace(BROKEN, outcome="clean", mutated=(), saved=(), backward=())
RIGHT: Finding = {
    "line": 5,
    "end_line": 6,
    "code": "IPA101",
    "kind": "saved-modified",
    "legs": [{"role": "saved", "line": 4}, {"role": "used", "line": 9}],
}
UNUSED = RIGHT | {"legs": RIGHT["legs"][:1]}


@pytest.mark.parametrize(
    ("findings", "faults"),
    [
        ([RIGHT], []),
        ([], ["missed"]),
        ([RIGHT | {"line": 6}], ["missed", "stray"]),
        ([RIGHT | {"line": 4}], []),
        ([RIGHT | {"line": 4, "end_line": 40}], ["missed", "stray"]),
        ([RIGHT, RIGHT | {"line": 7, "end_line": 7}], ["stray"]),
        ([RIGHT | {"kind": "leaf-inplace"}], ["kind"]),
        ([RIGHT | {"kind": "leaf-inplace"}, RIGHT], []),
        ([RIGHT | {"legs": []}], ["legs"]),
        ([UNUSED], ["legs"]),
    ],
)
def test_faults_of_a_breaking_case(findings: list[Finding], faults: list[str]) -> None:
    assert corpus.mark(BROKEN, {"forum/a.py": findings}, alone=False).wrong(BROKEN) == faults


def test_alone_no_backward_is_asked_for() -> None:
    assert corpus.mark(BROKEN, {"forum/a.py": [UNUSED]}, alone=True).wrong(BROKEN) == []


def test_some_kinds_pass_for_one_another() -> None:
    view = replace(BROKEN, outcome="leaf-view-inplace")
    findings = {"forum/a.py": [RIGHT | {"kind": "leaf-inplace"}]}
    assert corpus.mark(view, findings, alone=True).wrong(view) == []


@pytest.mark.parametrize("file", ["forum/a.py", "forum/a__run.py"])
def test_any_finding_in_a_clean_case_is_an_alarm(file: str) -> None:
    assert corpus.mark(CLEAN, {}, alone=False) == Marks()
    assert corpus.mark(CLEAN, {file: [RIGHT]}, alone=False).wrong(CLEAN) == ["alarm"]


def test_declared_lines_count_as_the_mutation() -> None:
    case = replace(BROKEN, mutated=(2,), declared=(5,))
    assert corpus.mark(case, {"forum/a.py": [RIGHT]}, alone=False).found


def test_the_corpus_is_whole() -> None:
    cases = corpus.cases()
    files = {path for folder in corpus.FOLDERS for path in (corpus.ROOT / folder).glob("*.py")}
    assert files == {case.program.folder / file for case in cases for file in case.program.files}
    assert {case.outcome for case in cases} > {"clean", "saved-modified", "silent"}
