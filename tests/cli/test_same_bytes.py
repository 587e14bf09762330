"""The same bytes for any hash seed, number of workers and order; a split run adds up to a whole."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from tests.cli.command import ROOT, inplace_lint

FOLDER = "github"
"""A part of the corpus with modules that import one another."""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "tests/corpus" / FOLDER, tmp_path / FOLDER)
    monkeypatch.chdir(tmp_path)


def run(files: list[str], seed: int, jobs: int = 1) -> str:
    options = ("--isolated", "--no-cache", "--confidence", "possible", "--format", "json")
    done = inplace_lint("check", f"-j{jobs}", *options, *files, PYTHONHASHSEED=str(seed))
    assert done.returncode == 1, done.stderr
    return done.stdout


def test_of_the_corpus():
    files = sorted(str(path) for path in Path(FOLDER).rglob("*.py"))
    shuffled = random.Random(0).sample(files, len(files))
    whole = run(files, seed=0)
    assert run([FOLDER], seed=1, jobs=2) == whole
    assert run(shuffled, seed=2, jobs=2) == whole
    parts = [run(shuffled[start::3], seed=3) for start in range(3)]
    assert findings(*parts) == findings(whole)
    assert len(findings(whole)) > 20


RANKS = ("possible", "likely", "certain")


def findings(*outputs: str) -> dict[tuple[object, ...], str]:
    """The surest word on each place and code: a file is also met by those that import it."""
    told: dict[tuple[object, ...], str] = {}
    for one in (one for text in outputs for one in json.loads(text)["findings"]):
        place = tuple(one[key] for key in ("path", "line", "column", "code"))
        told[place] = max(told.get(place, ""), one["confidence"], key=("", *RANKS).index)
    return told
