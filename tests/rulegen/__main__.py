"""`python -m tests.rulegen`: write rules/generated.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.rulegen.rows import codegen_rows

TARGET = Path(__file__).resolve().parents[2] / "rules" / "generated.jsonl"


def text_of(rows: list[dict[str, Any]]) -> str:
    """One object a line, sorted by id."""
    return "".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: str(row["id"])))


if __name__ == "__main__":
    TARGET.write_text(text_of(list(codegen_rows())), encoding="utf-8")
