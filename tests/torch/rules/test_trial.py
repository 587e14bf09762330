"""Every row that has an example is put to its trial: torch must show what the row claims."""

from __future__ import annotations

import pytest
import torch

from inplace_lint.opdb.resolve import table
from tests.rulegen.trial import complaints


def rows_with_example() -> list[str]:
    rows = table()
    return [rule_id for rule_id in rows.ids() if '"example"' in rows.line(rule_id)]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("rule_id", rows_with_example())
def test_torch_shows_what_the_row_claims(rule_id: str) -> None:
    rule = table().rule(rule_id)
    assert rule is not None
    assert complaints(rule) == []
