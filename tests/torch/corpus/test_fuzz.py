"""PyTorch and the linter agree on random programs; `python -m tests.fuzz` tries more of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fuzz import rows
from tests.fuzz.judge import KINDS, judge
from tests.fuzz.tally import Tally

SIDES = 2 * len(rows.calls())

PROGRAMS: dict[str, Sequence[int]] = {
    "grown": range(700),
    "lines": range(400),
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
