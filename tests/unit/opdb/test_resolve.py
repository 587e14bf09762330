"""Names, overloads and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.opdb import resolve
from inplace_lint.opdb.resolve import (
    bind,
    bind_init,
    canonical,
    choose,
    find,
    possible_returns,
    row,
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("torch.nn.functional.relu", "F.relu"),
        ("torch.Tensor.exp", "Tensor.exp"),
        ("torch.nn.Linear", "nn.Linear"),
        ("torch.nn.modules.linear.Linear", "nn.Linear"),
        ("torch.nn.parameter.Parameter", "nn.Parameter"),
        ("torch.optim.Adam", "optim.Adam"),
        ("torch.optim.adam.Adam", "optim.Adam"),
        ("torch.optim.lr_scheduler.StepLR", "optim.lr_scheduler.StepLR"),
        ("torch.nn.init.xavier_uniform_", "init.xavier_uniform_"),
        ("torch.nn.utils.clip_grad_norm_", "utils.clip_grad_norm_"),
        ("torch.nn.utils.clip_grad.clip_grad_norm_", "utils.clip_grad_norm_"),
        ("torch.nn.utils.rnn.pad_sequence", "utils.rnn.pad_sequence"),
        ("torch.linalg.norm", "torch.linalg.norm"),
        ("torch.functional.norm", "torch.norm"),
        ("torch._C._nn.gelu", "F.gelu"),
        ("torch.exp", "torch.exp"),
        ("op:*=", "op:*="),
    ],
)
def test_canonical(path: str, name: str) -> None:
    assert canonical(path) == name


@pytest.mark.parametrize(
    ("api", "args", "keywords", "expected"),
    [
        ("torch.mul", ["tensor", "tensor"], {}, "mul.Tensor"),
        ("torch.mul", ["tensor", "unknown"], {}, "mul.Tensor"),
        ("Tensor.pow", ["tensor", "number"], {}, "pow.Tensor_Scalar"),
        ("torch.pow", ["number", "tensor"], {}, "pow.Scalar"),
        ("Tensor.max", ["tensor"], {}, "max"),
        ("Tensor.max", ["tensor", "number"], {}, "max.dim"),
        ("torch.max", ["tensor"], {"dim": "number"}, "max.dim"),
        ("torch.max", ["tensor", "tensor"], {}, "max.other"),
        ("torch.max", [], {"input": "tensor"}, "max"),
        ("torch.where", ["tensor", "tensor", "number"], {}, "where.ScalarOther"),
        ("torch.where", ["tensor"], {}, "where"),
        ("torch.sum", ["tensor"], {"axis": "number"}, "sum.dim_IntList"),
        ("torch.sum", ["tensor"], {"no_such": "number"}, None),
        ("Tensor.clamp", ["tensor"], {"min": "number"}, "clamp"),
        ("Tensor.clamp", ["tensor", "tensor"], {}, "clamp.Tensor"),
        ("Tensor.view", ["tensor", "number", "number"], {}, "view"),
        ("Tensor.view", ["tensor", "dtype"], {}, "view.dtype"),
        ("torch.cat", ["tensors"], {"dim": "number"}, "cat"),
        ("torch.zeros", ["number", "number"], {}, "zeros"),
        ("F.relu", ["tensor"], {"inplace": "bool"}, "py:F.relu"),
        ("op:*", ["tensor", "number"], {}, "op:*.number"),
        ("op:*", ["number", "tensor"], {}, "op:*.reflected"),
        ("op:**", ["tensor", "tensor"], {}, "op:**"),
        ("torch.exp", ["tensor", "tensor"], {}, None),
        ("torch.exp", ["str"], {}, None),
    ],
)
def test_choose(api: str, args: list[str], keywords: dict[str, str], expected: str | None) -> None:
    chosen = choose(find(api), args, keywords)
    assert (chosen and chosen.id) == expected


@pytest.mark.parametrize(
    ("rule_id", "positional", "keywords", "expected"),
    [
        ("mul.Tensor", 2, ["out"], {"self": 0, "other": 1, "out": "out"}),
        ("mul.Tensor", 1, ["other"], {"self": 0, "other": "other"}),
        ("exp", 0, ["input"], {"self": "input"}),
        ("view", 3, [], {"self": 0, "size": (1, 2)}),
        ("view", 2, [], {"self": 0, "size": 1}),
        ("py:torch.einsum", 3, [], {"equation": 0, "operands": (1, 2)}),
        ("py:F.relu", 2, [], {"input": 0, "inplace": 1}),
    ],
)
def test_bind(
    rule_id: str, positional: int, keywords: list[str], expected: dict[str, object]
) -> None:
    rule = row(rule_id)
    assert rule is not None
    assert bind(rule, positional, keywords) == expected


def test_bind_init() -> None:
    rule = row("nn.ReLU")
    assert rule is not None
    assert bind_init(rule, 1, []) == {"inplace": 0}
    assert bind_init(rule, 0, ["inplace", "other"]) == {"inplace": "inplace"}


def test_unknown_name() -> None:
    assert find("torch.no_such_op") == ()
    assert row("no_such_op") is None


def test_possible_returns() -> None:
    rule = row("py:F.dropout")
    assert rule is not None
    known = {"p": 0.5, "training": True, "inplace": False}
    assert [each.how for each in possible_returns(rule, known.__getitem__)] == ["new"]
    known["training"] = False
    assert [each.how for each in possible_returns(rule, known.__getitem__)] == ["is"]


def test_extra_rows_come_first(tmp_path: Path) -> None:
    file = tmp_path / "ops.jsonl"
    file.write_text('{"id":"my","api":["ops.my"],"sig":["x"],"saves":["x"]}\n', encoding="utf-8")
    before = resolve.table()
    resolve.table.cache_clear()
    try:
        resolve.add_extra(file)
        assert [rule.id for rule in find("ops.my")] == ["my"]
    finally:
        resolve.table.cache_clear()
        find.cache_clear()
    assert before is not resolve.table()
    assert find("ops.my") == ()


@pytest.mark.parametrize(("version", "known"), [("2.5", False), ("2.13", True), ("", True)])
def test_rows_hold_for_the_version_aimed_at(version: str, known: bool) -> None:
    """ldexp saves since 2.13; what it did before is not claimed."""
    resolve.aim(version)
    try:
        assert bool(resolve.find("torch.ldexp")) is known
        assert resolve.find("torch.exp")
    finally:
        resolve.aim("")
