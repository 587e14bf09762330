"""The trials need the torch that the table was made from."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the trials of the rule table run torch")
VERSION = "2.13"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip on another torch: its kernels may save something else."""
    if torch.__version__.startswith(VERSION):
        return
    reason = f"the table is that of torch {VERSION}, here is {torch.__version__}"
    for item in items:
        if "rules" in item.path.parts and "torch" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason=reason))
