"""The scoreboard of README says what the runs by hand left behind and what the corpus gives."""

from __future__ import annotations

from tests import scoreboard


def test_the_scoreboard_of_readme_is_fresh(update: bool) -> None:
    text = scoreboard.README.read_text(encoding="utf-8")
    fresh = scoreboard.PLACE.sub(lambda _: scoreboard.board(), text)
    if update:
        scoreboard.README.write_text(fresh, encoding="utf-8")
    assert text == fresh or update, "run python -m tests.scoreboard --write"
