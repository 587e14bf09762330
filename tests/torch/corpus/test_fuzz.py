"""PyTorch and the linter agree on random programs; `python -m tests.fuzz` tries more of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.judge import figures, judge


@pytest.mark.parametrize("start", range(0, 600, 200))
def test_both_agree(start: int, tmp_path: Path) -> None:
    judged = judge(range(start, start + 200), tmp_path)
    wrong = [str(j) for j in judged if j.wrong]
    assert not wrong, "\n\n".join(wrong)
    broken = [j for j in judged if j.verdict.outcome not in ("clean", "other")]
    assert len(broken) > 20, figures(judged)
