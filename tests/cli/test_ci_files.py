"""The GitHub action and the GitLab job: their scripts, run with this working copy's command."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import CLEAN, HAZARD, ROOT, environment
from tests.cli.hosts import program

yaml = pytest.importorskip("yaml")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = tmp_path / "runner" / "inplace-lint" / "bin" / "inplace-lint"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m inplace_lint "$@"\n')
    command.chmod(0o755)
    Path("code").mkdir()


def bash(script: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program("bash"), "-e", "-c", script],
        capture_output=True,
        text=True,
        env=environment(**env),
        check=False,
    )


@pytest.mark.parametrize(("text", "code"), [(HAZARD, 1), (CLEAN, 0)])
def test_the_check_step_of_the_action(text, code):
    Path("code/model.py").write_text(text)
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    inputs = {name: given["default"] for name, given in action["inputs"].items()}
    assert set(step["env"].values()) <= {"${{ inputs." + name + " }}" for name in inputs}
    done = bash(
        step["run"],
        RUNNER_TEMP=str(Path("runner").absolute()),
        GITHUB_OUTPUT="output",
        GITHUB_STEP_SUMMARY="summary.md",
        PATHS="code",
        ARGS="--confidence certain",
        SARIF="out.sarif",
    )
    assert done.returncode == code, done.stderr
    assert Path("output").read_text() == f"exit-code={code}\n"
    assert ("::error file=code/model.py,line=5," in done.stdout) is bool(code)
    assert len(json.loads(Path("out.sarif").read_text())["runs"][0]["results"]) == code
    assert Path("summary.md").read_text()


def test_the_gitlab_job():
    Path("code/model.py").write_text(HAZARD)
    job = yaml.safe_load((ROOT / "templates" / "inplace-lint.yml").read_text())["inplace-lint"]
    report = job["artifacts"]["reports"]["codequality"]
    script = [line for line in job["script"] if not line.startswith("pip ")]
    path = f"{Path('runner/inplace-lint/bin').absolute()}:{environment()['PATH']}"
    done = bash("\n".join(script), PATH=path, INPLACE_LINT_PATHS="code")
    assert done.returncode == 1
    assert "code/model.py:5:1: IPA101" in done.stdout
    assert json.loads(Path(report).read_text())[0]["check_name"] == "IPA101"
