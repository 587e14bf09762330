"""Host programs: skipped where missing, demanded in CI."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest


def program(name: str) -> str:
    """The path of a host program; skips the test if there is none (fails in CI)."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        reason = f"{name} is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found
