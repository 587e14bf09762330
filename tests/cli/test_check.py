"""`inplace-lint check` from outside: exit codes, formats, streams, selection, robustness."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inplace_lint.cli.main import main
from tests.cli.command import CLEAN, HAZARD, environment, inplace_lint

FULL = """\
IPA101 `y` is changed in place after exp() saved it for backward
 --> model.py:5:1
  |
4 | y = x.exp()
  |     ------- saved here: exp() saves its result
5 | y.add_(10)
  | ^^^^^^^^^^ changed here: add_() changes it in place
6 | y.sum().backward()
  | ------------------ needed here: backward needs the saved value
  |
  = help: write `y = y.add(10)`, which makes a new tensor; or do it before exp()

Found 1 hazard in 1 file.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def model():
    Path("model.py").write_text(HAZARD)


@pytest.mark.usefixtures("model")
def test_full_is_the_default():
    done = inplace_lint("check")
    assert (done.returncode, done.stdout, done.stderr) == (1, FULL, "")


def test_nothing_found():
    Path("model.py").write_text(CLEAN)
    done = inplace_lint("check", "model.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nothing found in 1 file.\n", "")


def test_an_empty_folder_is_fine():
    assert inplace_lint("check").returncode == 0


@pytest.mark.usefixtures("model")
def test_json_on_stdout_is_json_alone():
    done = inplace_lint("check", "--format", "json", ".")
    (found,) = json.loads(done.stdout)["findings"]
    assert (found["path"], found["line"], found["column"], found["code"]) == (
        "model.py",
        5,
        1,
        "IPA101",
    )
    assert [leg["role"] for leg in found["legs"]] == ["saved", "mutated", "used"]


@pytest.mark.usefixtures("model")
def test_several_formats_at_once():
    done = inplace_lint("check", "--format", "sarif:out.sarif", "--format", "concise", "-q")
    assert done.stdout.startswith("model.py:5:1: IPA101 ")
    assert json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    clash = inplace_lint("check", "--format", "json", "--format", "full")
    assert clash.returncode == 2 and "need a file each" in clash.stderr


@pytest.mark.usefixtures("model")
def test_output_file():
    done = inplace_lint("check", "--format", "json", "--output-file", "report.json")
    assert done.stdout == ""
    assert json.loads(Path("report.json").read_text())["findings"]
    broken = inplace_lint("check", "--output-file", "no/such/folder/report.json")
    assert broken.returncode == 2 and "cannot write" in broken.stderr


def test_stdin():
    done = inplace_lint("check", "-", text=HAZARD)
    assert "<stdin>:5:1" in done.stdout and done.returncode == 1
    named = inplace_lint(
        "check", "-", "--stdin-filename", "pkg/a.py", "--format", "concise", text=HAZARD
    )
    assert named.stdout.startswith("pkg/a.py:5:1: IPA101")
    assert inplace_lint("check", "-", text="").returncode == 0
    assert inplace_lint("check", "-", text="def f(:").returncode == 1
    latin = inplace_lint("check", "-", text=b"# coding: latin-1\nx = '\xe9'\n")
    assert latin.returncode == 0
    assert inplace_lint("check", "-", text=b"x = '\xe9'\n").returncode == 1


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["model.py"], 1),
        (["model.py", "--exit-zero"], 0),
        (["model.py", "--select", "IPA2"], 0),
        (["model.py", "--select", "IPA2,IPA101"], 1),
        (["model.py", "--select", "ipa101"], 1),
        (["model.py", "--ignore", "IPA1"], 0),
        (["model.py", "--ignore", "IPA1", "--select", "IPA101"], 1),
        (["model.py", "--confidence", "certain"], 1),
        (["model.py", "-j2"], 1),
        (["model.py", "missing.py"], 2),
        (["model.py", "--select", "IPA999"], 2),
        (["model.py", "--format", "xml"], 2),
        (["model.py", "--confidence", "sure"], 2),
        (["model.py", "--config", "missing.toml"], 2),
        (["model.py", "--nonsense"], 2),
        (["model.py", "-"], 2),
        (["model.py", "-j", "-1"], 2),
        (["model.py", "--exclude", "model.py"], 1),
        (["model.py", "--exclude", "model.py", "--force-exclude"], 0),
        (["--exclude", "model.py"], 0),
    ],
)
def test_exit_codes(arguments, code):
    try:
        assert main(["check", *arguments]) == code
    except SystemExit as wrong_usage:  # raised by argparse
        assert wrong_usage.code == code


def test_unparsable_and_incomplete_files():
    Path("bad.py").write_text("def f(:\n")
    bad = inplace_lint("check")
    assert bad.returncode == 1
    assert "IPA001" in bad.stdout and "bad.py:1:7" in bad.stdout
    Path("bad.py").unlink()
    Path("deep.py").write_text("import torch\nx = " + "[" * 3000 + "]" * 3000 + "\n")
    deep = inplace_lint("check")
    assert deep.returncode == 0
    assert "deep.py:" in deep.stderr and "IPA002" in deep.stderr
    assert inplace_lint("check", "--strict").returncode == 1


@pytest.mark.usefixtures("model")
def test_colour():
    assert "\x1b[" not in inplace_lint("check").stdout
    assert "\x1b[" in inplace_lint("check", FORCE_COLOR="1").stdout
    assert "\x1b[" not in inplace_lint("check", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" in inplace_lint("check", "--color", "always", NO_COLOR="1").stdout


@pytest.mark.usefixtures("model")
def test_a_stream_that_cannot_encode_breaks_nothing():
    Path("model.py").write_text(HAZARD.replace("y.add_(10)", "y.add_(10)  # é文"), "utf-8")
    done = inplace_lint("check", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1 and "\\xe9\\u6587" in done.stdout


@pytest.mark.usefixtures("model")
def test_ignore_comments():
    Path("model.py").write_text(HAZARD.replace("y.add_(10)", "y.add_(10)  # noqa: IPA101"))
    assert inplace_lint("check").returncode == 0


@pytest.mark.usefixtures("model")
def test_configuration_file():
    Path("pyproject.toml").write_text('[tool.inplace-lint]\nignore = ["IPA101"]\n')
    assert inplace_lint("check").returncode == 0
    assert inplace_lint("check", "--isolated").returncode == 1
    Path("pyproject.toml").write_text('[tool.inplace-lint]\nignroe = ["IPA101"]\n')
    done = inplace_lint("check")
    assert done.returncode == 2
    assert "pyproject.toml:2:1: unknown key 'ignroe'; did you mean ignore?" in done.stderr


@pytest.mark.usefixtures("model")
def test_statistics_and_coverage_go_to_stderr():
    done = inplace_lint("check", "--statistics", "--debug-coverage", "--format", "json")
    json.loads(done.stdout)
    assert "1 IPA101 saved-result-mutated" in done.stderr
    assert "steps: " in done.stderr


def test_places_not_reached_are_listed_with_their_cause():
    Path("model.py").write_text(
        "import torch\n\n\nclass Store:\n"
        "    def __setitem__(self, key, value):\n        self.rows[key] = value\n\n"
        "    def __repr__(self):\n        return lambda t: t.add_(1)\n"
    )
    done = inplace_lint("check", "--debug-unmet")
    assert "model.py:9:26: not met, in a lambda that was not called" in done.stderr
    assert "mutation sites not met, in a lambda that was not called: 1" in done.stderr
    assert "model.py:9:26" not in inplace_lint("check", "--debug-coverage").stderr


def test_github_step_summary(tmp_path):
    Path("model.py").write_text(HAZARD)
    done = inplace_lint("check", "--format", "github", GITHUB_STEP_SUMMARY=str(tmp_path / "s.md"))
    assert done.stdout.startswith("::error file=model.py,line=5,")
    assert "| model.py:5 | IPA101 |" in (tmp_path / "s.md").read_text()


@pytest.mark.usefixtures("model")
def test_a_closed_pipe_is_no_traceback():
    done = subprocess.run(
        f"{sys.executable} -m inplace_lint check | head -c 1",
        shell=True,
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
def test_interrupting_leaves_no_process_and_no_traceback():
    Path("pkg").mkdir()
    for number in range(400):
        Path(f"pkg/m{number}.py").write_text(HAZARD * 20)
    run = subprocess.Popen(
        [sys.executable, "-m", "inplace_lint", "check", "-j2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    while run.poll() is None and not any_children(run.pid):
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=300)
    assert (run.returncode, errors) == (130, b"")
    assert not children.exists()
    with pytest.raises(ProcessLookupError):
        os.killpg(run.pid, 0)


def any_children(pid: int) -> bool:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return any(task.read_text().strip() for task in tasks)


def test_the_same_bytes_for_any_hash_seed_and_number_of_workers():
    for number in range(6):
        Path(f"m{number}.py").write_text(HAZARD if number % 2 else CLEAN)
    outputs = {
        inplace_lint("check", f"-j{jobs}", "--format", "json", PYTHONHASHSEED=seed).stdout
        for jobs, seed in ((1, "1"), (2, "2"), (3, "3"))
    }
    assert len(outputs) == 1


def test_the_parent_never_imports_libcst_or_torch():
    Path("model.py").write_text(HAZARD)
    program = (
        "import sys; from inplace_lint.cli.main import main; main(['check', '-q']);"
        "print(sorted({'libcst', 'torch', 'numpy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment(), check=True
    )
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_notebooks():
    cells = [
        {"cell_type": "markdown", "source": ["# title"]},
        {"cell_type": "code", "source": HAZARD.splitlines(keepends=True)[:4]},
        {"cell_type": "code", "source": ["%time\n", "y.add_(10)\n", "y.sum().backward()"]},
        {
            "cell_type": "code",
            "source": ["y = x.exp()\n", "y.add_(1)  # noqa\n", "y.sum().backward()"],
        },
    ]
    Path("nb.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    done = inplace_lint("check", "--format", "concise", "-q")
    assert done.stdout == (
        "nb.ipynb:cell 3:2:1: IPA101 `y` is changed in place after exp() saved it for backward\n"
    )
    full = inplace_lint("check").stdout
    assert " --> nb.ipynb:cell 3:2:1\n" in full
    assert " ::: nb.ipynb:cell 2:4:5\n" in full
    found = json.loads(inplace_lint("check", "--format", "json").stdout)["findings"][0]
    assert (found["path"], found["cell"], found["line"]) == ("nb.ipynb", 3, 2)
    Path("nb.ipynb").write_text("{")
    assert "nb.ipynb:1:2: IPA001 not a notebook" in inplace_lint("check", "--format=concise").stdout


def test_rules_of_ones_own():
    Path("model.py").write_text("import mine\n" + HAZARD.replace("x.exp()", "mine.op(x)"))
    assert inplace_lint("check", "--confidence", "certain").returncode == 0
    row = {"id": "mine.op", "api": ["mine.op"], "sig": ["self"], "saves": ["ret"]}
    Path("own.jsonl").write_text(json.dumps(row) + "\n")
    Path("inplace-lint.toml").write_text('extra-rules = ["own.jsonl"]\n')
    done = inplace_lint("check", "--confidence", "certain", "--format", "concise")
    assert "model.py:6:1: IPA101" in done.stdout
