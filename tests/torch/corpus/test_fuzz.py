"""PyTorch and the linter agree on random programs; `python -m tests.fuzz` tries more of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from inplace_lint.opdb import resolve
from tests.fuzz import others, rows
from tests.fuzz.judge import KINDS, judge
from tests.fuzz.tally import Tally

SIDES = 2 * len(rows.calls())

PROGRAMS: dict[str, Sequence[int]] = {
    "grown": range(700),
    "lines": range(400),
    "others": range(2 * len(others.ROWS)),
    "rows": range(0, len(rows.calls()), 8),
    "shaped": range(300),
    "sides": range(0, SIDES, 13),
}
"""Seeds of each kind: an odd stride through the sides meets both of them."""

BREAKS: dict[str, dict[str, int]] = {
    "grown": {
        "freed-graph": 10,
        "leaf-inplace": 20,
        "leaf-view-inplace": 5,
        "multi-view-inplace": 5,
        "out-requires-grad": 10,
        "overlap": 5,
        "saved-modified": 20,
        "silent": 1,
    },
    "lines": {"saved-modified": 50, "multi-view-inplace": 10},
    "others": {"saved-modified": 15, "silent": 8},
    "rows": {"saved-modified": 40},
    "shaped": {"leaf-inplace": 10, "saved-modified": 3},
    "sides": {"saved-modified": 70},
}
"""How often programs of a kind have to break, so that the fuzzer does not go blind."""


@pytest.mark.parametrize("kind", sorted(PROGRAMS))
def test_both_agree(kind: str, tmp_path: Path) -> None:
    judged = judge(PROGRAMS[kind], tmp_path, kind)
    wrong = "\n\n".join(str(one) for one in judged if one.wrong)
    assert not wrong, wrong
    counted = Tally()
    counted.add(judged)
    for outcome, least in BREAKS[kind].items():
        assert counted.programs[outcome] >= least, counted.table()


def test_every_kind_is_tried() -> None:
    assert set(PROGRAMS) == set(KINDS)
    assert sum(map(len, PROGRAMS.values())) >= 2000


ELSEWHERE = ("runs on another backend", "needs the device", "needs an accelerator")
"""How rows are marked that no program can try here."""


def test_every_row_is_on_trial() -> None:
    """By a program that breaks, if any can, and by one that does not."""
    untried = [name for name in sorted(resolve.table().ids()) if not _is_tried(name)]
    assert [name for name in untried if not _is_left_out(name)] == []
    assert not set(others.ROWS) - set(resolve.table().ids())


def _is_tried(name: str) -> bool:
    return bool(rows.calls_of(name)) or name in others.ROWS


def _is_left_out(name: str) -> bool:
    rule = resolve.row(name)
    assert rule is not None
    far = any(text in remark.text for remark in rule.maybe for text in ELSEWHERE)
    sparse = re.search(r"\bsp\(", rule.example)
    return far or bool(sparse) or any(re.fullmatch(one, name) for one in others.LEFT_OUT)
