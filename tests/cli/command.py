"""Runs the command as a user does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HAZARD = """\
import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
y.add_(10)
y.sum().backward()
"""
CLEAN = HAZARD.replace("x.exp()", "x.pow(2)")


def environment(**more: str) -> dict[str, str]:
    """The environment with this working copy importable and nothing that changes output."""
    kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def inplace_lint(
    *arguments: str, text: str | bytes | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """`inplace-lint ARGUMENTS` in the current folder."""
    data = text.encode() if isinstance(text, str) else text
    done = subprocess.run(
        [sys.executable, "-m", "inplace_lint", *arguments],
        input=data,
        capture_output=True,
        env=environment(**env),
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
