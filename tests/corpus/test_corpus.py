"""The linter against the corpus: one run with the drivers in view, one without.

What it still gets wrong stands in `known.toml`, each with its reason; an entry that is right by now
fails as well as a new fault.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable

import pytest

from tests.harness import corpus
from tests.harness.corpus import Case, Marks

tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
KNOWN = tomllib.loads((corpus.ROOT / "known.toml").read_text(encoding="utf-8"))
CASES = corpus.cases()
MODES = ("alone", "driven")


@pytest.fixture(scope="module", params=MODES)
def marks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[Case, Marks]]:
    """The mode and every case as it was answered in it."""
    tree = tmp_path_factory.mktemp(request.param)
    return request.param, corpus.answers(tree, alone=request.param == "alone")


def told(case: Case, marks: Marks) -> str:
    """One line about a wrong answer."""
    lines = [*case.mutated, *case.declared]
    said = marks.strays or marks.alarms
    return f"{case.name} ({case.outcome} at {lines}): {marks.wrong(case)} {said or ''}"


def test_answers_are_right_but_for_the_known_faults(
    marks: tuple[str, dict[Case, Marks]],
) -> None:
    mode, answers = marks
    known = {name: entry.get(mode, []) for name, entry in KNOWN.items()}
    new, stale = [], []
    for case, answer in answers.items():
        faults = answer.wrong(case)
        if not set(faults) <= set(known.get(case.name, [])):
            new.append(told(case, answer))
        elif faults != known.get(case.name, []):
            stale.append(f"{case.name}: {faults} now, {mode} = {known[case.name]} in known.toml")
    assert not new, "\n".join(new)
    assert not stale, "\n".join(stale)


def test_figures_hold_the_bar(marks: tuple[str, dict[Case, Marks]]) -> None:
    _, answers = marks
    breaking = [m for case, m in answers.items() if case.outcome not in ("clean", "other")]
    found = [m for m in breaking if m.found]
    clean = [m for case, m in answers.items() if case.outcome == "clean"]
    assert share(m.found for m in breaking) >= 0.97
    assert not any(m.alarms for m in clean)
    assert share(m.right_kind for m in found) >= 0.97
    assert share(m.right_legs for m in found if m.right_legs is not None) >= 0.97


def share(verdicts: Iterable[bool]) -> float:
    counted = list(verdicts)
    return sum(counted) / len(counted)


def test_every_known_fault_names_a_case_and_its_reason() -> None:
    names = {case.name for case in CASES}
    for name, entry in KNOWN.items():
        assert name in names
        assert entry["reason"]
        assert {*entry} - {"reason"} <= {*MODES}
        assert any(entry.get(mode) for mode in MODES)
