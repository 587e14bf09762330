"""Real PyTorch runs the examples of every page: the bad one breaks as the page says."""

from __future__ import annotations

import pytest

from inplace_lint.checks.registry import registry

torch = pytest.importorskip("torch")
CHECKS = [check for check in registry().values() if check.kind]
IDS = [check.code for check in CHECKS]


def run(program: str) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "example"}
    exec(compile(program, "example.py", "exec"), names)
    return names


def gradients(names: dict[str, object]) -> dict[str, list[float]]:
    return {
        name: value.grad.flatten().tolist()
        for name, value in names.items()
        if isinstance(value, torch.Tensor) and value.is_leaf and value.grad is not None
    }


@pytest.mark.parametrize("check", CHECKS, ids=IDS)
def test_bad_breaks_and_good_runs(check) -> None:
    good = gradients(run(check.page.good))
    if check.kind == "silent":
        assert gradients(run(check.page.bad)) != good
        return
    with pytest.raises(RuntimeError) as raised:
        run(check.page.bad)
    assert check.page.error in str(raised.value)
