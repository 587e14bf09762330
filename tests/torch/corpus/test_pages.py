"""The examples on the pages of `inplace-lint explain`, run by PyTorch."""

from __future__ import annotations

import pytest
import torch

from inplace_lint.checks.base import Check
from inplace_lint.checks.registry import registry
from tests.harness import oracle
from tests.harness.oracle import Program, Verdict

CHECKS = [check for check in registry().values() if check.kind]
BLIND = {"IPA303", "IPA402", "IPA403", "IPA404"}
"""Wrong gradients that the oracle cannot see: it compares what autograd saved by itself."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Verdict]:
    """PyTorch's verdict on the bad and the good example of each code."""
    folder = tmp_path_factory.mktemp("pages")
    programs = {}
    for check in CHECKS:
        for side, text in (("bad", check.page.bad), ("good", check.page.good)):
            file = f"{check.code}_{side}.py"
            (folder / file).write_text(text, encoding="utf-8")
            programs[check.code, side] = Program(folder, file, (file,))
    return dict(zip(programs, oracle.ask(list(programs.values())), strict=True))


def by_code(check: Check) -> str:
    return check.code


@pytest.mark.parametrize("check", CHECKS, ids=by_code)
def test_the_good_example_is_clean(check: Check, verdicts: dict[tuple[str, str], Verdict]) -> None:
    verdict = verdicts[check.code, "good"]
    assert (verdict.outcome, verdict.caught) == ("clean", False)


@pytest.mark.parametrize("check", [c for c in CHECKS if c.code not in BLIND], ids=by_code)
def test_the_bad_example_breaks_in_the_words_of_the_page(
    check: Check, verdicts: dict[tuple[str, str], Verdict]
) -> None:
    verdict = verdicts[check.code, "bad"]
    assert verdict.outcome == check.kind
    said = " ".join((verdict.message or "").split())
    assert " ".join(check.page.error.split()) in said


def gradients(program: str) -> dict[str, torch.Tensor]:
    """The gradients that a program leaves in the tensors and modules it names."""
    torch.manual_seed(0)
    names: dict[str, object] = {}
    exec(compile(program, "page", "exec"), names)
    found: dict[str, torch.Tensor | None] = {}
    for name, value in names.items():
        if isinstance(value, torch.nn.Module):
            found |= {f"{name}.{key}": p.grad for key, p in value.named_parameters()}
        elif isinstance(value, torch.Tensor) and value.is_leaf:
            found[name] = value.grad
    return {name: grad for name, grad in found.items() if grad is not None}


@pytest.mark.parametrize("check", [c for c in CHECKS if c.code in BLIND], ids=by_code)
def test_the_bad_example_computes_other_gradients(check: Check) -> None:
    bad, good = gradients(check.page.bad), gradients(check.page.good)
    shared = bad.keys() & good.keys()
    assert shared
    assert any(not torch.allclose(bad[name], good[name]) for name in shared)
