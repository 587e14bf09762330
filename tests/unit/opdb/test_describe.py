"""Rows in words, and the page of all ops."""

from __future__ import annotations

import pytest

from inplace_lint.opdb import describe
from inplace_lint.opdb.load import folder, read_table

TABLE = read_table()


def words(rule_id: str) -> str:
    rule = TABLE.rule(rule_id)
    assert rule is not None
    return describe.describe(TABLE, rule)


@pytest.mark.parametrize(
    ("rule_id", "line"),
    [
        ("exp", "  saves    its result"),
        ("exp", "  free     self: may be overwritten afterwards"),
        ("exp", "  in place exp_ saves its result too: do not change it again before backward"),
        ("mul.Tensor", "  saves    other if self requires grad; self if other requires grad"),
        ("mul.Tensor", "  in place mul_.Tensor keeps a private copy of the old content"),
        ("celu", "  in place celu_ changes side: it saves its result, where celu saves self"),
        ("neg", "  in place neg_ saves nothing of what it overwrites"),
        ("add.Tensor", "  saves    nothing"),
        ("py:F.relu", "  changes  input when inplace"),
        ("py:F.dropout", "  returns  input itself when p==0 or not training or inplace"),
        ("chunk", "  returns  several views of self, which may not be written in place"),
        ("exp", "  source   torch 2.13.0, read from the kernels that torch's code generator"),
    ],
)
def test_words(rule_id: str, line: str) -> None:
    assert line in words(rule_id)


def test_questions() -> None:
    results = {rule.id for rule in describe.saving(TABLE, "result")}
    assert "exp" in results
    assert "pow.Tensor_Scalar" not in results
    assert "add.Tensor" in {rule.id for rule in describe.saving(TABLE, "nothing")}
    assert "nn.Conv2d" in {rule.id for rule in describe.saving(TABLE, "parameter")}
    assert "mul_.Tensor" in {rule.id for rule in describe.mutating(TABLE)}
    assert "transpose.int" in {rule.id for rule in describe.viewing(TABLE)}
    assert "nn.BatchNorm2d" in {rule.id for rule in describe.search(TABLE, "batch NORM 2d")}


def test_page_is_fresh(update: bool) -> None:
    page = folder() / "OPS.md"
    text = describe.markdown(TABLE)
    if update:
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text
