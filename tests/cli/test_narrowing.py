"""--baseline, --diff-base and --add-ignore, in the process of the test."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from inplace_lint.cli.main import main
from tests.cli.command import CLEAN, HAZARD

IN_A_FUNCTION = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.exp()
        y.add_(1)
        return y
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(HAZARD)


@pytest.fixture
def check(capsys):
    def run(*arguments: str) -> tuple[int, list[str], str]:
        """Exit code, concise lines, stderr."""
        code = main(["check", "--format", "concise", "-q", "-j1", *arguments])
        streams = capsys.readouterr()
        return code, [line.split(": ")[0] for line in streams.out.splitlines()], streams.err

    return run


# ---- baseline --------------------------------------------------------------------------------


def test_a_baseline_accepts_what_is_known_and_tells_what_is_new(check):
    assert check("--baseline", "b.json", "--update-baseline")[:2] == (0, [])
    assert check("--baseline", "b.json")[:2] == (0, [])
    Path("model.py").write_text("# moved\n\n" + HAZARD)
    assert check("--baseline", "b.json")[0] == 0
    Path("new.py").write_text(HAZARD)
    assert check("--baseline", "b.json")[:2] == (1, ["new.py:5:1"])
    Path("model.py").write_text(HAZARD.replace("add_(10)", "add_(11)"))
    assert check("--baseline", "b.json", "model.py")[:2] == (1, ["model.py:5:1"])


def test_entries_name_the_function_and_are_counted(check):
    Path("model.py").write_text(IN_A_FUNCTION)
    check("--baseline", "b.json", "--update-baseline")
    (entry,) = json.loads(Path("b.json").read_text())["entries"]
    assert entry == {
        "path": "model.py",
        "code": "IPA101",
        "symbol": "Net.forward",
        "text": "y.add_(1)",
        "count": 1,
    }
    Path("model.py").write_text(IN_A_FUNCTION.replace("Net", "Other"))
    assert check("--baseline", "b.json")[0] == 1


def test_stale_entries_fail_when_asked_and_can_be_pruned(check):
    check("--baseline", "b.json", "--update-baseline")
    Path("model.py").write_text(CLEAN)
    assert check("--baseline", "b.json")[0] == 0
    code, _, errors = check("--baseline", "b.json", "--fail-stale")
    assert code == 1 and "stale baseline entry: model.py: IPA101 in module: y.add_(10)" in errors
    assert check("--baseline", "b.json", "--prune-baseline", "--fail-stale")[0] == 0
    assert json.loads(Path("b.json").read_text())["entries"] == []


def test_entries_of_files_that_were_not_checked_are_left_alone(check):
    Path("other.py").write_text(HAZARD)
    check("--baseline", "b.json", "--update-baseline")
    assert check("--baseline", "b.json", "--fail-stale", "model.py")[0] == 0
    Path("model.py").write_text(CLEAN)
    check("--baseline", "b.json", "--update-baseline", "model.py")
    (entry,) = json.loads(Path("b.json").read_text())["entries"]
    assert entry["path"] == "other.py"
    Path("other.py").unlink()
    assert check("--baseline", "b.json", "--fail-stale", "model.py")[0] == 1


def test_a_baseline_is_the_same_from_any_folder(check, tmp_path, monkeypatch):
    check("--baseline", "b.json", "--update-baseline")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert check("--baseline", "../b.json", "../model.py")[0] == 0
    assert check("--baseline", str(tmp_path / "b.json"), str(tmp_path / "model.py"))[0] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "b.json:1:2: no JSON"),
        ("[]", "not a baseline"),
        ('{"version": 2, "entries": []}', "not a baseline of version 1"),
        ('{"version": 1, "entries": [{}]}', "not a baseline of version 1"),
    ],
)
def test_what_is_no_baseline_is_refused(check, text, words):
    Path("b.json").write_text(text)
    code, _, errors = check("--baseline", "b.json")
    assert code == 2 and words in errors


def test_baseline_options_need_a_baseline(check):
    assert check("--update-baseline")[0] == 2
    assert check("--baseline", "missing.json")[0] == 2


# ---- diff base -------------------------------------------------------------------------------


@pytest.fixture
def repository():
    def git(*arguments: str) -> None:
        names = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *names, *arguments], check=True, capture_output=True)

    Path("old name é.py").write_text(HAZARD)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")


@pytest.mark.usefixtures("repository")
def test_only_what_changed_lines_bring_about(check):
    assert check("--diff-base", "HEAD")[:2] == (0, [])
    unrelated = Path("model.py").read_text() + "print(x)\n"
    Path("model.py").write_text(unrelated)
    assert check("--diff-base", "HEAD")[:2] == (0, [])
    Path("model.py").write_text(CLEAN)
    assert check("--diff-base", "HEAD")[:2] == (0, [])


@pytest.mark.usefixtures("repository")
def test_a_change_to_the_line_that_saves_counts(check):
    Path("model.py").write_text(HAZARD.replace("x.exp()", "x.sigmoid()"))
    assert check("--diff-base", "HEAD")[:2] == (1, ["model.py:5:1"])
    Path("old name é.py").write_text(HAZARD.replace("x.exp()", "x.sigmoid()"))
    assert len(check("--diff-base", "HEAD")[1]) == 2


@pytest.mark.usefixtures("repository")
def test_files_git_does_not_know_are_new(check):
    Path("new.py").write_text(HAZARD)
    assert check("--diff-base", "HEAD")[:2] == (1, ["new.py:5:1"])


@pytest.mark.usefixtures("repository")
def test_revisions_that_are_none(check):
    for revision in ("no-such-branch", "--output=x", "-h"):
        code, _, errors = check(f"--diff-base={revision}")
        assert code == 2 and "--diff-base: " in errors


def test_no_repository(check, monkeypatch, tmp_path):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert check("--diff-base", "HEAD")[0] == 2


# ---- writing ignores -------------------------------------------------------------------------


def test_add_ignore_writes_comments_that_hold(check):
    assert check("--add-ignore", "--reason", "kept for\nparity")[0] == 0
    assert (
        "y.add_(10)  # inplace-lint: ignore[IPA101] kept for parity\n"
        in Path("model.py").read_text()
    )
    assert check()[0] == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y.add_(10)  # noqa: E501", "y.add_(10)  # noqa: E501  # inplace-lint: ignore[IPA101]"),
        (
            "y.add_(10)  # inplace-lint: ignore[IPA3] why",
            "y.add_(10)  # inplace-lint: ignore[IPA101,IPA3] why",
        ),
        ("y.add_(\n    10,\n)", "y.add_(\n    10,\n)  # inplace-lint: ignore[IPA101]"),
        (
            "y.add_(10); z = '''a\nb'''",
            "y.add_(10); z = '''a\nb'''  # inplace-lint: ignore[IPA101]",
        ),
    ],
)
def test_where_the_comment_goes(check, before, after):
    Path("model.py").write_text(HAZARD.replace("y.add_(10)", before))
    check("--add-ignore")
    assert Path("model.py").read_text() == HAZARD.replace("y.add_(10)", after)
    assert check()[0] == 0


def test_encoding_and_line_ends_are_kept(check):
    text = "# coding: latin-1\n# \xe9\n" + HAZARD
    Path("model.py").write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    check("--add-ignore")
    written = text.replace("y.add_(10)", "y.add_(10)  # inplace-lint: ignore[IPA101]")
    assert Path("model.py").read_bytes() == written.replace("\n", "\r\n").encode("latin-1")


def test_files_that_cannot_be_written_are_told_and_still_reported(check):
    cell = {"cell_type": "code", "source": HAZARD}
    Path("model.py").unlink()
    Path("n.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}}))
    code, lines, errors = check("--add-ignore")
    assert (code, lines) == (1, ["n.ipynb:cell 1:5:1"])
    assert "no ignore comment could be written in n.ipynb" in errors
