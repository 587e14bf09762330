"""What rows say of optimizers: constructor, and whether step() counts what it writes."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch

from inplace_lint.opdb.model import OpRule
from inplace_lint.opdb.resolve import table

OPTIMIZERS = [
    rule
    for rule_id in table().ids()
    for rule in [table().rule(rule_id)]
    if rule is not None and rule.kind == "optimizer"
]
IDS = [rule.id for rule in OPTIMIZERS]


def optimizer_class(rule: OpRule) -> Any:
    return getattr(torch.optim, rule.id.removeprefix("optim."))


def test_every_optimizer_has_a_row() -> None:
    classes = {
        f"optim.{name}"
        for name in dir(torch.optim)
        if isinstance(getattr(torch.optim, name), type)
        and issubclass(getattr(torch.optim, name), torch.optim.Optimizer)
    }
    assert classes - {"optim.Optimizer"} == set(IDS)


@pytest.mark.parametrize("rule", OPTIMIZERS, ids=IDS)
def test_constructor(rule: OpRule) -> None:
    true = list(inspect.signature(optimizer_class(rule).__init__).parameters.values())[1:]
    assert [param.name for param in rule.init] == [each.name for each in true]
    for param, each in zip(rule.init, true, strict=True):
        assert param.required == (each.default is each.empty), param.name


def stepped(rule: OpRule, **options: bool) -> tuple[bool, bool]:
    """Whether a step bumps the parameter, and whether it changes it."""
    parameter = torch.nn.Parameter(torch.full((2, 3), 0.5))
    sparse = rule.id == "optim.SparseAdam"
    optimizer = optimizer_class(rule)([parameter], **options)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (parameter**2).sum()
        loss.backward()
        if sparse:
            assert parameter.grad is not None
            parameter.grad = parameter.grad.to_sparse()
        return loss

    before, version = parameter.detach().clone(), parameter._version
    optimizer.step(closure) if rule.id == "optim.LBFGS" else (closure(), optimizer.step())
    return parameter._version != version, not torch.equal(parameter.detach(), before)


def claimed(rule: OpRule, word: str, fused: bool) -> bool:
    entries = rule.mut if word == "mut" else rule.mut_silent
    return any(entry.when is None or entry.when.holds(lambda _: fused) for entry in entries)


@pytest.mark.parametrize("rule", OPTIMIZERS, ids=IDS)
def test_step(rule: OpRule) -> None:
    bumped, changed = stepped(rule)
    assert (bumped, changed) == (True, True)
    assert claimed(rule, "mut", fused=False)
    assert not claimed(rule, "mut_silent", fused=False)


FUSED = [rule for rule in OPTIMIZERS if any(param.name == "fused" for param in rule.init)]


@pytest.mark.parametrize("rule", FUSED, ids=[rule.id for rule in FUSED])
def test_fused_step(rule: OpRule) -> None:
    bumped, changed = stepped(rule, fused=True)
    assert changed
    assert bumped == claimed(rule, "mut", fused=True)
    assert bumped != claimed(rule, "mut_silent", fused=True)


FOREACH = [rule for rule in OPTIMIZERS if any(param.name == "foreach" for param in rule.init)]


@pytest.mark.parametrize("rule", FOREACH, ids=[rule.id for rule in FOREACH])
@pytest.mark.parametrize("foreach", [True, False])
def test_foreach_step_counts(rule: OpRule, foreach: bool) -> None:
    assert stepped(rule, foreach=foreach) == (True, True)
