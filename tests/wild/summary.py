"""The figures of the last full run and of its labels, for the scoreboard."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.wild import labels

LAST = Path(__file__).with_name("last_run.json")


def per_100k(count: int, lines: int) -> float:
    """How many there are in 100,000 lines."""
    return round(count * 100_000 / lines, 2) if lines else 0.0


def summary() -> dict[str, object]:
    """Packages, lines, findings by label, each also per 100,000 lines."""
    packages = json.loads(LAST.read_text(encoding="utf-8"))["packages"]
    lines = sum(figures["lines"] for figures in packages.values())
    counts = Counter(label.label for label in labels.read() if label.package in packages)
    found = counts.total()
    shares = {kind: round(counts[kind] / found, 3) if found else 0.0 for kind in labels.KINDS}
    return {
        "packages": len(packages),
        "lines": lines,
        "findings": found,
        "findings per 100,000 lines": per_100k(found, lines),
        "labels": {kind: counts[kind] for kind in labels.KINDS},
        "shares": shares,
        "conditional per 100,000 lines": per_100k(counts["conditional"], lines),
        "internal errors": sum(figures["internal"] for figures in packages.values()),
    }
