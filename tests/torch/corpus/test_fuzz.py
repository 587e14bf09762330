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
    "lines": range(500),
    "shaped": range(700),
    "rows": range(0, len(rows.calls()), 6),
    "sides": range(0, SIDES, 11),
}
"""Seeds of each kind: an odd stride through the sides meets both of them."""

BREAKS: dict[str, dict[str, int]] = {
    "lines": {"saved-modified": 60, "multi-view-inplace": 10},
    "shaped": {
        "freed-graph": 3,
        "leaf-inplace": 20,
        "leaf-view-inplace": 10,
        "out-requires-grad": 10,
        "overlap": 10,
        "saved-modified": 10,
        "silent": 2,
    },
    "rows": {"saved-modified": 50},
    "sides": {"saved-modified": 80},
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
