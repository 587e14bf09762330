"""Rows without a call that the trial can make: what shares memory with what, and which counter."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch

from inplace_lint.opdb.resolve import row

np = pytest.importorskip("numpy")


def write(value: Any) -> None:
    """Change the first element of a tensor or array."""
    value.reshape(-1)[0] = 7


SHARED: list[tuple[str, Callable[[torch.Tensor], Any]]] = [
    ("py:Tensor.data", lambda t: t.data),
    ("py:Tensor.numpy", lambda t: t.numpy()),
    ("py:Tensor.__array__", lambda t: np.asarray(t)),
    ("py:copy.copy", lambda t: copy.copy(t)),
    ("py:torch.from_dlpack", lambda t: torch.from_dlpack(t)),
    ("detach", lambda t: t.detach()),
    ("py:nn.Parameter", lambda t: torch.nn.Parameter(t, requires_grad=False)),
    ("py:nn.Buffer", lambda t: torch.nn.Buffer(t)),
]


@pytest.mark.parametrize(("rule_id", "make"), SHARED, ids=[rule_id for rule_id, _ in SHARED])
def test_shares_memory(rule_id: str, make: Callable[[torch.Tensor], Any]) -> None:
    rule = row(rule_id)
    assert rule is not None
    tensor = torch.zeros(2, 3)
    shared = make(tensor)
    version = tensor._version
    write(shared)
    assert tensor[0, 0] == 7
    assert rule.ret[0].how == ("alias" if tensor._version != version else "raw")


COPIES: list[tuple[str, Callable[[torch.Tensor], Any]]] = [
    ("py:torch.tensor", lambda t: torch.tensor(t)),
    ("py:Tensor.new_tensor", lambda t: t.new_tensor(t)),
    ("py:copy.deepcopy", lambda t: copy.deepcopy(t)),
    ("clone", lambda t: t.clone()),
]


@pytest.mark.filterwarnings("ignore:To copy construct")
@pytest.mark.parametrize(("rule_id", "make"), COPIES, ids=[rule_id for rule_id, _ in COPIES])
def test_copies(rule_id: str, make: Callable[[torch.Tensor], Any]) -> None:
    rule = row(rule_id)
    assert rule is not None
    assert [each.how for each in rule.ret] == ["new"]
    tensor = torch.zeros(2, 3)
    write(make(tensor))
    assert tensor[0, 0] == 0


SILENT: list[tuple[str, Callable[[torch.Tensor], Any]]] = [
    ("py:Tensor.apply_", lambda t: t.apply_(lambda x: x + 1)),
    ("py:Tensor.map_", lambda t: t.map_(torch.ones(2, 3), lambda a, b: a + b)),
    ("py:Tensor.map2_", lambda t: t.map2_(t + 1, t, lambda a, b, c: a + b + c)),
    (
        "utils.vector_to_parameters",
        lambda t: torch.nn.utils.vector_to_parameters(torch.ones(6), [t]),
    ),
]


@pytest.mark.parametrize(("rule_id", "change"), SILENT, ids=[rule_id for rule_id, _ in SILENT])
def test_writes_without_counting(rule_id: str, change: Callable[[torch.Tensor], Any]) -> None:
    rule = row(rule_id)
    assert rule is not None
    tensor = torch.zeros(2, 3)
    version = tensor._version
    change(tensor)
    assert tensor._version == version
    assert bool(tensor.any())
    assert rule.mut_silent
    assert not rule.mut


def test_parameter_is_a_leaf_that_requires_grad() -> None:
    assert torch.nn.Parameter(torch.zeros(2)).is_leaf
    assert torch.nn.Parameter(torch.zeros(2)).requires_grad
