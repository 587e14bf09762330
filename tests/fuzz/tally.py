"""Figures of a run: how often programs break, by outcome, and how often the linter is right.

`last_run.json` holds those of the last long run by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.judge import Judged

LAST = Path(__file__).parent / "last_run.json"


@dataclass(slots=True)
class Tally:
    """Counts over judged programs; `wrong` by outcome and by what was wrong."""

    programs: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, Counter[str]] = field(default_factory=dict)
    findings: int = 0
    legs: int = 0

    def add(self, judged: Iterable[Judged]) -> None:
        """Count some more."""
        for one in judged:
            self.programs[one.verdict.outcome] += 1
            self.findings += one.told
            self.legs += one.legs
            if one.wrong:
                self.wrong.setdefault(one.verdict.outcome, Counter())[one.wrong] += 1

    @property
    def broken(self) -> int:
        """Programs that break in one of the ways that the linter knows."""
        return sum(n for name, n in self.programs.items() if name not in ("clean", "other"))

    def table(self) -> str:
        """One line an outcome."""
        return "\n".join(
            f"{name:22} {count:6} {self._wrongs(name)}".rstrip()
            for name, count in sorted(self.programs.items())
        )

    def _wrongs(self, outcome: str) -> str:
        counts = sorted(self.wrong.get(outcome, {}).items())
        return ", ".join(f"{n} {what}" for what, n in counts)

    def as_json(self) -> dict[str, Any]:
        """What `last_run.json` keeps."""
        missed = {o: w["missed"] for o, w in self.wrong.items()}
        return {
            "programs": self.programs.total(),
            "broken": self.broken,
            "false_alarms": self.wrong.get("clean", Counter())["false alarm"],
            "findings": self.findings,
            "unconfirmed": sum(w["unconfirmed"] for w in self.wrong.values()),
            "legs": self.legs,
            "wrong_legs": sum(w["wrong legs"] for w in self.wrong.values()),
            "further_missed": sum(w["further missed"] for w in self.wrong.values()),
            "outcomes": {
                name: {"programs": count, "found": count - missed.get(name, 0)}
                for name, count in sorted(self.programs.items())
                if name not in ("clean", "other")
            },
        }


def summary() -> dict[str, Any]:
    """The figures of the last long run: recall by outcome, false alarms, legs."""
    found: dict[str, Any] = json.loads(LAST.read_text(encoding="utf-8"))
    return found
