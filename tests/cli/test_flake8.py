"""The plugin inside of the real flake8."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.cli.command import CLEAN, HAZARD, environment
from tests.cli.hosts import program

LINE = (
    "model.py:5:1: IPA101 `y` is changed in place after exp() saved it for backward"
    " (saved here 4:5, needed here 6:1)\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(HAZARD)


@cache
def version(command: str) -> str:
    """What flake8 says of itself and its plugins."""
    return subprocess.run(
        [command, "--version"], capture_output=True, text=True, env=environment(), check=True
    ).stdout


def flake8(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    command = program("flake8")
    if "inplace-lint" not in version(command):
        pytest.skip("the plugin is not installed where flake8 is")
    return subprocess.run(
        [command, *arguments],
        input=text,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )


def test_findings_and_exit_code():
    done = flake8("model.py")
    assert (done.stdout, done.stderr, done.returncode) == (LINE, "", 1)
    Path("model.py").write_text(CLEAN)
    assert flake8("model.py").returncode == 0


def test_in_parallel_too():
    for number in range(5):
        Path(f"m{number}.py").write_text(HAZARD)
    done = flake8("-j2", ".")
    assert done.stdout.count("IPA101") == 6


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--select", "E"], False),
        (["--ignore", "IPA"], False),
        (["--extend-ignore", "IPA1"], False),
        (["--select", "IPA"], True),
        (["--ignore", "I"], False),
        (["--extend-ignore", "I", "--extend-select", "IPA"], True),
        (["--inplace-lint-confidence", "certain"], True),
    ],
)
def test_flake8_decides_which_codes_are_on(arguments, found):
    assert ("IPA101" in flake8(*arguments, "model.py").stdout) is found


def test_one_warning_when_a_shorter_prefix_mutes_us():
    warned = flake8("-j2", "--ignore", "I", ".").stderr
    assert warned.count("mutes the IPA codes") == 1
    quiet = flake8("--extend-ignore", "I", "--extend-select", "IPA", ".").stderr
    assert quiet == ""


def test_options_of_the_configuration_file():
    assumed = HAZARD.replace("y.sum().backward()", "").replace("y = x", "def f(x):\n    y = x")
    Path("model.py").write_text(assumed.replace("y.add_(10)", "    y.add_(10)\n    return y"))
    assert "[likely: " in flake8("model.py").stdout
    Path("setup.cfg").write_text("[flake8]\ninplace-lint-confidence = certain\n")
    assert "IPA101" not in flake8("model.py").stdout


def test_noqa_is_flake8s_and_our_own_comments_hold_as_well():
    Path("model.py").write_text(HAZARD.replace("y.add_(10)", "y.add_(10)  # noqa: IPA101"))
    assert flake8("model.py").returncode == 0
    own = "y.add_(10)  # inplace-lint: ignore[IPA101] why"
    Path("model.py").write_text(HAZARD.replace("y.add_(10)", own))
    assert flake8("model.py").returncode == 0


def test_stdin_under_another_name():
    done = flake8("--stdin-display-name", "pkg/other.py", "-", text=HAZARD)
    assert done.stdout == LINE.replace("model.py", "pkg/other.py")


def test_syntax_errors_and_other_encodings_raise_nothing():
    Path("model.py").write_text("def f(:\n")
    Path("latin.py").write_bytes(b"# coding: latin-1\n# torch \xe9\n" + HAZARD.encode())
    done = flake8(".")
    assert "E999" in done.stdout and "latin.py:7:1: IPA101" in done.stdout
    assert done.stderr == ""


def test_imported_files_findings_are_left_to_their_own_run():
    Path("user.py").write_text("import torch\n\nimport model\n\nprint(torch, model.y)\n")
    assert "IPA" not in flake8("user.py").stdout
