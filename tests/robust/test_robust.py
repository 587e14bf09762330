"""A few hundred inputs that nobody would write; by hand, 20,000: `python -m tests.robust`."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.diagnostic import ToolError
from inplace_lint.runner.protocol import FileReport
from tests.robust import run
from tests.robust.inputs import Sources
from tests.robust.mutants import mutant

SOURCES = Sources([])


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_nothing_breaks_the_worker(start: int, tmp_path: Path) -> None:
    ran = [*run.run(map(SOURCES.input, range(start, start + 100)), tmp_path)]
    broken = [f"seed {one.input.seed}: {one.broken}" for one in ran if one.broken]
    assert not broken, "\n".join(broken)
    assert sum(one.steps > 0 for one in ran) > 30


def test_inputs_hang_on_their_seed_alone() -> None:
    assert [SOURCES.input(n) for n in range(8)] == [SOURCES.input(n) for n in range(8)]
    assert mutant(1, "a = 1\nb = 2\n") != mutant(2, "a = 1\nb = 2\n")


def test_a_crash_is_noticed() -> None:
    told = ToolError("a.py", 1, 1, "IPA002", "analysis incomplete: f: internal error (KeyError)")
    assert run.broken(FileReport(errors=(told,))) == told.message
    told = ToolError("a.py", 1, 1, "IPA001", "not valid utf-8 text")
    assert run.broken(FileReport(errors=(told,))) == ""
