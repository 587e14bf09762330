"""The facts about public commits are complete and well formed."""

from __future__ import annotations

import json
import re

import pytest

from tests.real.rows import FACTS, OUTCOMES, VERIFIED, VISIBLE, Row, load

ROWS = load()


@pytest.mark.parametrize("row", ROWS, ids=[row.slug for row in ROWS])
def test_row(row: Row) -> None:
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", row.repo)
    assert re.fullmatch(r"[0-9a-f]{40}", row.commit)
    assert row.path.endswith(".py")
    assert row.verified in VERIFIED
    assert row.visible in VISIBLE
    assert row.hazard
    if row.set == "pairs":
        assert row.kind in OUTCOMES
        assert row.mutation_lines
    else:
        assert row.set == "nonpairs"
        assert not row.mutation_lines


def test_slugs_tell_rows_apart() -> None:
    assert len({row.slug for row in ROWS}) == len(ROWS)


def test_urls_are_those_of_the_commits() -> None:
    urls = [fields["url"] for fields in json.loads(FACTS.read_text(encoding="utf-8"))]
    assert urls == [row.url for row in ROWS]


def test_at_least_forty() -> None:
    assert len(ROWS) >= 40


def test_few_of_one_repository() -> None:
    commits = {(row.repo, row.commit) for row in ROWS}
    repositories = [repo for repo, _ in commits]
    assert max(map(repositories.count, repositories)) <= 4
