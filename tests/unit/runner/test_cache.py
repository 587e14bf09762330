"""The cache: the known is not analysed again; whatever changes an answer makes it unknown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inplace_lint.config.finder import ConfigFinder
from inplace_lint.runner import supervisor
from inplace_lint.runner.cache import FOLDER
from inplace_lint.runner.run import Request, check

MAIN = "import torch\nfrom part import x\n# HAZARD certain\n"
PART = "# torch\n# HAZARD likely\n"


@pytest.fixture(autouse=True)
def tree(tmp_path, monkeypatch):
    """Two files, a day old, of which one imports the other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for name, text in (("main.py", MAIN), ("part.py", PART)):
        write(name, text)
    return tmp_path


def write(name: str, text: str) -> None:
    """Write a file as it would have been before the run."""
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)
    then = Path(name).stat().st_mtime - 86_400
    os.utime(name, (then, then))


def run(*paths: str, **given):
    """One run over the folder, with the pretended engine."""
    finder = ConfigFinder({"extend_exclude": (FOLDER,), **given}, isolated=True)
    request = Request(paths or (".",), finder.of, cached=True, analysis="pretend_engine:run")
    return check(request)


@pytest.fixture
def analysed(monkeypatch):
    """The paths that a run asks the workers for."""
    asked: list[str] = []
    original = supervisor.run_jobs

    def note(jobs, *rest):
        asked.extend(job.shown for job in jobs)
        return original(jobs, *rest)

    monkeypatch.setattr(supervisor, "run_jobs", note)
    return asked


def test_a_second_run_analyses_nothing_and_tells_the_same(analysed):
    first = run()
    assert sorted(analysed) == ["main.py", "part.py"]
    analysed.clear()
    second = run()
    assert analysed == []
    assert (second.run.findings, second.coverage) == (first.run.findings, first.coverage)
    assert first.run.findings


CHANGES = {
    "the file": (lambda: write("main.py", MAIN + "\n"), {}, ["main.py"]),
    "what it imports": (lambda: write("part.py", PART + "\n"), {}, ["main.py", "part.py"]),
    "a file in the place of an import": (
        lambda: write("part/__init__.py", PART),
        {},
        ["main.py", "part/__init__.py"],
    ),
    "an import that is gone": (lambda: Path("part.py").unlink(), {}, ["main.py"]),
    "a file that has nothing to do with it": (lambda: write("other.py", PART), {}, ["other.py"]),
    "the confidence": (lambda: None, {"confidence": "possible"}, ["main.py", "part.py"]),
    "nothing": (lambda: None, {}, []),
    "an entry that is no JSON": (lambda: spoil("{"), {}, ["main.py", "part.py"]),
    "an entry of another form": (lambda: spoil("[1]"), {}, ["main.py", "part.py"]),
    "the folder": (lambda: [p.unlink() for p in entries()], {}, ["main.py", "part.py"]),
}


def entries() -> list[Path]:
    """The entries of the cache."""
    return [p for p in Path(FOLDER).iterdir() if len(p.name) == 40]


def spoil(text: str) -> None:
    """Overwrite every entry."""
    for path in entries():
        path.write_text(text)


@pytest.mark.parametrize("what", CHANGES)
def test_only_what_a_change_touches_is_analysed_again(what, analysed):
    change, given, expected = CHANGES[what]
    run()
    analysed.clear()
    change()
    cached = run(**given)
    assert sorted(analysed) == expected
    plain = ConfigFinder({"extend_exclude": (FOLDER,), **given}, isolated=True)
    fresh = check(Request((".",), plain.of, analysis="pretend_engine:run"))
    assert cached.run.findings == fresh.run.findings


def test_a_file_written_during_the_run_is_not_kept(analysed):
    Path("part.py").write_text(PART)
    os.utime("part.py", (2**32, 2**32))
    run()
    analysed.clear()
    run()
    assert analysed == ["main.py"]


def test_a_worker_that_died_is_not_remembered(analysed):
    write("dies.py", "# torch\n# DIE\n")
    run("dies.py")
    analysed.clear()
    assert run("dies.py").run.errors
    assert analysed == ["dies.py"]


def test_the_folder_says_what_it_is_and_ignores_itself():
    run()
    assert (Path(FOLDER) / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172")
    assert (Path(FOLDER) / ".gitignore").read_text().splitlines()[-1] == "*"
    assert not list(Path(FOLDER).glob("*.new"))


def test_a_folder_that_cannot_be_written_costs_only_time(analysed):
    Path(FOLDER).write_text("in the way")
    assert run().run.findings
    analysed.clear()
    assert run().run.findings
    assert sorted(analysed) == ["main.py", "part.py"]


def test_entries_are_data_and_no_more_than_allowed(monkeypatch):
    monkeypatch.setattr("inplace_lint.runner.cache._MOST", 2)
    for number in range(4):
        write("main.py", MAIN + f"# {number}\n")
        run()
    assert 0 < len(entries()) <= 2
    assert all(isinstance(json.loads(path.read_bytes()), dict) for path in entries())
