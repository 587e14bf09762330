"""The runner with a pretended engine: merging, deaths, deadlines, imports, ignores, settings."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from inplace_lint.config.finder import ConfigFinder
from inplace_lint.runner.protocol import WorkerStartError
from inplace_lint.runner.run import Request, check


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return tmp_path


def write(files: dict[str, str], end: str = "# torch\n") -> None:
    """Write files; they mention torch, or the engine would not be asked."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text.rstrip()}\n{end}")


def outcome(*paths: str, given=None, **more):
    finder = ConfigFinder(given or {}, isolated=True)
    more = {"analysis": "pretend_engine:run", "deadline": 60.0, **more}
    return check(Request(paths or (".",), finder.of, **more))


def places(result) -> list[str]:
    return [f"{d.span.path}:{d.span.line}:{d.code}" for d in result.run.findings]


def told(result) -> dict[str, str]:
    return {error.path: f"{error.code} {error.message}" for error in result.run.errors}


def test_findings_are_sorted_and_each_is_told_once():
    write({"b.py": "from .a import x\n# HAZARD certain\n", "a.py": "# HAZARD certain\n"})
    assert places(outcome()) == ["a.py:1:IPA101", "b.py:2:IPA101"]


def test_any_number_of_workers_and_order_of_files_gives_the_same():
    names = [f"m{n}.py" for n in range(12)]
    write({n: f"from .{random.choice(names)[:-3]} import x\n# HAZARD certain\n" for n in names})
    runs = []
    for jobs in (1, 3):
        shuffled = random.sample(names, len(names))
        result = outcome(*shuffled, jobs=jobs)
        runs.append((result.run.findings, result.run.errors, result.coverage))
    assert runs[0] == runs[1]
    assert len(runs[0][0]) == 12


def test_union_over_files_equals_one_run():
    write(
        {"pkg/__init__.py": "", "pkg/a.py": "from pkg.b import x\n", "pkg/b.py": "# HAZARD certain"}
    )
    alone = {place for name in ("pkg/a.py", "pkg/b.py") for place in places(outcome(name))}
    assert sorted(alone) == places(outcome("pkg/a.py", "pkg/b.py")) == ["pkg/b.py:1:IPA101"]


def test_absolute_paths_stay_absolute_also_for_imported_files(tmp_path):
    write({"a.py": "from .b import x\n", "b.py": "# HAZARD certain"})
    assert places(outcome(str(tmp_path / "a.py"))) == [f"{tmp_path.as_posix()}/b.py:1:IPA101"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_dead_worker_costs_its_one_file(jobs):
    write({"dead.py": "DIE\n", "a.py": "# HAZARD certain\n", "z.py": "# HAZARD certain\n"})
    result = outcome(jobs=jobs)
    assert places(result) == ["a.py:1:IPA101", "z.py:1:IPA101"]
    assert told(result) == {
        "dead.py": "IPA002 the worker process ended by signal 9 while analysing this file"
    }


@pytest.mark.parametrize("how", ["HANG", "SPIN"])
def test_a_late_file_costs_itself(how):
    write({"late.py": f"{how}\n", "a.py": "# HAZARD certain\n"})
    result = outcome(deadline=2.0, jobs=1)
    assert places(result) == ["a.py:1:IPA101"]
    assert told(result) == {"late.py": "IPA002 the analysis took longer than 2 seconds"}


def test_an_internal_error_names_its_place_and_not_its_value():
    write({"a.py": "RAISE\n"})
    (words,) = told(outcome()).values()
    assert words.startswith("IPA002 internal error: KeyError at pretend_engine.py:")
    assert "never shown" not in words


def test_unparsable_files_are_told_and_the_rest_goes_on():
    write({"bad.py": "def f(:\n", "a.py": "# HAZARD certain\n"})
    Path("latin.py").write_bytes(b"x = '\xff'\n")
    result = outcome()
    assert places(result) == ["a.py:1:IPA101"]
    assert {path: words[:6] for path, words in told(result).items()} == {
        "bad.py": "IPA001",
        "latin.py": "IPA001",
    }


def test_missing_paths_are_given_back():
    assert outcome("nowhere.py").missing == ("nowhere.py",)


def test_no_files_start_no_worker():
    assert outcome(analysis="no.such.module:run").run.checked == 0


def test_files_that_cannot_hold_a_tensor_need_no_worker_but_are_parsed():
    write({"a.py": "import os\n", "b.py": "def f(:\n"}, end="")
    result = outcome(analysis="no.such.module:run")
    assert result.run.checked == 2
    assert told(result) == {"b.py": "IPA001 invalid syntax"}


def test_a_worker_that_cannot_start_is_an_error_of_the_run():
    write({"a.py": "x = 1\n"})
    with pytest.raises(WorkerStartError, match="no_such_module"):
        outcome(analysis="no_such_module:run")


def test_stdin_text_is_checked_in_place_of_the_file():
    write({"a.py": "# HAZARD certain\n", "b.py": "# HAZARD certain\n"})
    result = outcome("a.py", stdin=b"from .b import x  # torch\n")
    assert places(result) == ["b.py:1:IPA101"]


def test_configuration_filters():
    write({"a.py": "# HAZARD certain\n# HAZARD likely\n# HAZARD possible\n"})
    assert len(places(outcome())) == 2
    assert len(places(outcome(given={"confidence": "possible"}))) == 3
    assert len(places(outcome(given={"confidence": "certain"}))) == 1
    assert places(outcome(given={"select": ("IPA2",)})) == []
    assert places(outcome(given={"ignore": ("IPA1",)})) == []
    assert places(outcome(given={"per_file_ignores": {"a.*": ("IPA101",)}})) == []
    assert len(places(outcome(given={"per_file_ignores": {"b.*": ("IPA101",)}}))) == 2


def test_ignore_comments_silence_and_unused_ones_are_told_when_asked():
    write(
        {
            "a.py": "HAZARD = 'HAZARD certain'  # noqa: IPA101\n"
            "y = 'HAZARD certain'  # inplace-lint: ignore[IPA1] known\n"
            "z = 'HAZARD possible'  # inplace-lint: ignore[IPA101] hidden\n"
            "a = 1  # inplace-lint: ignore[IPA101] stale\n"
            "b = 1  # noqa: IPA101, E501\n"
            "c = 1  # noqa\n"
            "d = 1  # inplace-lint: ignore[IPA301] not selected\n",
            "clean.py": "a = 1  # inplace-lint: ignore[IPA101]\n",
        }
    )
    assert places(outcome()) == []
    found = outcome(given={"extend_select": ("IPA003",), "select": ("IPA1",)})
    assert places(found) == ["a.py:4:IPA003", "a.py:5:IPA003", "clean.py:1:IPA003"]


def test_an_ignore_in_an_imported_file_counts():
    write({"a.py": "from .b import x\n", "b.py": "x = 'HAZARD certain'  # noqa\n"})
    assert places(outcome("a.py")) == []


def test_malformed_ignores_are_told():
    write({"a.py": "x = 1  # inplace-lint: ignore\ny = 1  # inplace-lint: ignore[IPA999]\n"})
    errors = outcome().run.errors
    assert [(e.line, e.column, e.code) for e in errors] == [(1, 8, "IPA003"), (2, 8, "IPA003")]
    assert "unknown code IPA999" in errors[1].message


def test_coverage_is_summed():
    write({"a.py": "x = 1\n", "b.py": "x = 1\n"})
    write({"plain.py": "x = 1\n"}, end="")
    assert outcome().coverage == {"files": 2, "with torch": 2}


def test_nothing_of_the_working_folder_is_imported():
    write({"ast.py": "raise SystemExit('imported')\n", "json.py": "raise SystemExit('imported')\n"})
    result = outcome("ast.py")
    assert told(result) == {}
    assert result.run.checked == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
def test_special_files_and_loops_are_passed_over():
    write({"deep/a.py": "# HAZARD certain\n"})
    os.mkfifo("fifo.py")
    Path("folder.py").mkdir()
    Path("deep/loop").symlink_to(Path("deep").absolute())
    Path("self.py").symlink_to("self.py")
    assert places(outcome()) == ["deep/a.py:1:IPA101"]
    assert told(outcome("fifo.py"))["fifo.py"].startswith("IPA001")


def test_findings_in_excluded_files_reached_by_import_are_not_told():
    write({"a.py": "from .vendor.b import x\n", "vendor/b.py": "# HAZARD certain\n"})
    given = {"exclude": ("vendor",)}
    assert places(outcome("a.py")) == ["vendor/b.py:1:IPA101"]
    assert places(outcome("a.py", given=given)) == []
    assert places(outcome("a.py", "vendor/b.py", given=given)) == ["vendor/b.py:1:IPA101"]
