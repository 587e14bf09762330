"""The hook run by the real pre-commit in a real repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import CLEAN, HAZARD, ROOT, environment
from tests.cli.hosts import program

CONFIG = """\
repos:
- repo: {repo}
  rev: {rev}
  hooks:
  - id: inplace-lint
    language: system
"""
"""`language: system` takes the command of this working copy instead of installing one."""


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    hook = tmp_path / "hook"
    hook.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hook)
    git("init", "-q", cwd=hook)
    git("add", ".", cwd=hook)
    git("commit", "-qm", "hook", cwd=hook)
    work = tmp_path / "work"
    work.mkdir()
    git("init", "-q", cwd=work)
    rev = git("rev-parse", "HEAD", cwd=hook)
    (work / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=hook.as_uri(), rev=rev))
    command = tmp_path / "bin" / "inplace-lint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m inplace_lint "$@"\n')
    command.chmod(0o755)
    monkeypatch.chdir(work)
    return work


def commit(work: Path) -> subprocess.CompletedProcess[str]:
    """Stage everything and run the hook on it."""
    git("add", "-A", cwd=work)
    env = environment(PRE_COMMIT_HOME=str(work.parent / "cache"))
    env["PATH"] = f"{work.parent / 'bin'}:{env['PATH']}"
    return subprocess.run(
        [program("pre-commit"), "run"],
        cwd=work,
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )


def test_a_hazard_stops_the_commit_and_its_mending_lets_it_through(repository):
    (repository / "model.py").write_text(HAZARD)
    done = commit(repository)
    assert done.returncode == 1
    assert "model.py:5:1" in done.stdout and "IPA101" in done.stdout
    (repository / "model.py").write_text(CLEAN)
    assert commit(repository).returncode == 0


def test_excludes_hold_although_pre_commit_names_the_files(repository):
    (repository / "pyproject.toml").write_text('[tool.inplace-lint]\nexclude = ["vendor"]\n')
    (repository / "vendor").mkdir()
    (repository / "vendor" / "model.py").write_text(HAZARD)
    done = commit(repository)
    assert done.returncode == 0, done.stdout


def test_no_python_at_all(repository):
    (repository / "README.md").write_text("y.add_(10)\n")
    done = commit(repository)
    assert done.returncode == 0
    assert "no files to check" in done.stdout


def test_stubs_and_notebooks_are_taken(repository):
    (repository / "a.pyi").write_text("x: int\n")
    (repository / "n.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4}')
    done = commit(repository)
    assert done.returncode == 0
    assert "Passed" in done.stdout
