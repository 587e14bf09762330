"""The standard library holds no tensor: no error, nothing found; a budget may be used up."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from inplace_lint import harness
from inplace_lint.interp.project import NoProject
from inplace_lint.source import read_source

STDLIB = Path(sysconfig.get_path("stdlib"))
SAMPLE = sorted(
    path
    for path in (*STDLIB.glob("[a-z]*.py"), *STDLIB.glob("[a-z]*/[a-z]*.py"))
    if not {"site-packages", "test", "tests", "lib2to3", "idlelib"} & {*path.parts}
)[::16]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_a_module_of_the_standard_library(path: Path) -> None:
    result = harness.analyse(
        read_source(path, path.name), NoProject(), harness.Settings(coverage=True)
    )
    assert [message for _, message in result.errors if "ran out of steps" not in message] == []
    assert [(story.kind, story.mutator) for story in result.stories] == []
    assert result.coverage["functions"] >= result.coverage["functions executed"]


def test_the_sample_is_executed() -> None:
    """Guards the test above: an analysis that enters nothing would pass it."""
    file = read_source(STDLIB / "textwrap.py", "textwrap.py")
    result = harness.analyse(file, NoProject(), harness.Settings(coverage=True))
    assert result.coverage["functions executed"] > 0
