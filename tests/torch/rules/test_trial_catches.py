"""The trial is no formality: a row with one word wrong does not pass it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inplace_lint.opdb.parse import parse_row
from inplace_lint.opdb.resolve import table
from tests.rulegen.trial import complaints

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("exp", {"saves": []}, "saves [], torch ['ret']"),
    ("exp", {"saves": ["self"]}, "saves ['self'], torch ['ret']"),
    ("exp", {"saves": ["ret", "self"]}, "saves: self is not seen in any call"),
    ("mul.Tensor", {"saves": ["other", "self if other"]}, "where ['other'] require grad"),
    ("mul_.Tensor", {"clones": []}, "clones: False, torch: True"),
    ("mul_.Tensor", {"mut": []}, "mut: [], torch: ['self']"),
    ("mul_.Tensor", {"ret": "new"}, "ret: ['new'], torch: ['is self']"),
    ("neg", {"clones": ["self"], "mut": ["self"]}, "mut: ['self'], torch: []"),
    ("transpose.int", {"ret": "alias self"}, "ret: ['alias self'], torch: ['view self']"),
    ("transpose.int", {"noncontig": False}, "noncontig: False, torch: True"),
    ("chunk", {"ret": "view self"}, "['view self'], torch: ['views self']"),
    ("detach", {"diff": [1], "no_derivative": False}, "diff: [True], torch: [False]"),
    ("detach", {"ret": "raw self"}, "ret: ['raw self'], torch: ['alias self']"),
    ("argmax", {"dtype": ""}, "dtype 'float', torch ['int']"),
    ("max.dim", {"fields": []}, "fields: (), torch: ('values', 'indices')"),
    ("expand", {"expands": False}, "expands: False, torch: True"),
    ("op:*.number", {"owns_number": False}, "owns_number: False, torch: True"),
    ("zero_", {"overlap_ok": False}, "overlap_ok: False, torch: [True]"),
    ("op:len", {"number": False}, "number: False, torch: True"),
    ("py:F.relu", {"mut": ["input"]}, "mut: ['input'], torch: []"),
    ("py:F.relu", {"example": "F.relu(t(2,3))"}, "example: 'inplace' is seen only ['False']"),
    ("nn.BatchNorm1d", {"mut_silent": []}, "mut_silent: [], torch: ['self.running_mean'"),
    ("py:F.max_pool2d", {"first_when": "return_indices"}, "results: 2, torch: 1"),
    ("exp", {"example": "torch.exp('a')"}, "does not run"),
]


@pytest.mark.parametrize(
    ("rule_id", "change", "complaint"), WRONG, ids=[f"{w[0]}-{next(iter(w[1]))}" for w in WRONG]
)
def test_a_wrong_word_is_caught(rule_id: str, change: dict[str, Any], complaint: str) -> None:
    true = json.loads(table().line(rule_id))
    assert {word: true.get(word) for word in change} != change
    found = complaints(parse_row({**true, **change}))
    assert complaint in "\n".join(found)
