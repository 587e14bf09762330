"""`python -m tests.rulegen`: write rules/generated.jsonl and tell which calls disagree."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.rulegen.rows import generate

TARGET = Path(__file__).resolve().parents[2] / "rules" / "generated.jsonl"


def text_of(rows: list[dict[str, Any]]) -> str:
    """One object a line, sorted by id."""
    return "".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: str(row["id"])))


if __name__ == "__main__":
    made = list(generate())
    TARGET.write_text(text_of([row for row, _ in made]), encoding="utf-8")
    for row, reason in made:
        if reason:
            sys.stderr.write(f"{row['id']}: {reason}\n")
