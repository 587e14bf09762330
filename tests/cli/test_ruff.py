"""How to live beside the real ruff, which deletes noqa comments it does not know."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.cli.hosts import program

NOQA = "x = 1  # noqa: IPA101\n"
OURS = "x = 1  # inplace-lint: ignore[IPA101] reason\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def after_ruff(text: str, configuration: str = "") -> str:
    Path("ruff.toml").write_text(f'lint.select = ["RUF"]\n{configuration}')
    Path("a.py").write_text(text)
    command = [program("ruff"), "check", "--fix", "--no-cache", "-q", "a.py"]
    subprocess.run(command, capture_output=True, env=environment(), check=False)
    return Path("a.py").read_text()


def test_ruff_deletes_a_noqa_of_ours():
    assert after_ruff(NOQA) == "x = 1\n"


def test_unless_it_is_told_that_our_codes_exist():
    assert after_ruff(NOQA, 'lint.external = ["IPA"]\n') == NOQA


def test_and_it_leaves_our_own_comments_alone():
    assert after_ruff(OURS) == OURS
