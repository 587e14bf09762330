"""The names that rules/library tells of torch are torch's own."""

from __future__ import annotations

import importlib

import pytest

from inplace_lint.interp import libraries

MODULES = {
    "torch_distributions": ("torch.distributions",),
    "torch_functions": ("torch",),
    "torch_schedulers": ("torch.optim.lr_scheduler", "torch.optim.swa_utils"),
    "torch_training": ("torch.amp", "torch.optim.swa_utils"),
}


@pytest.mark.parametrize("stem", sorted(MODULES))
def test_the_names_exist(stem: str) -> None:
    modules = [importlib.import_module(name) for name in MODULES[stem]]
    units = libraries.source_of(stem).units
    names = {name for unit in units if unit.kind != "import" for name in unit.binds}
    assert [n for n in sorted(names) if not any(hasattr(m, n) for m in modules)] == []
