"""`python -m tests.rulegen`: write rules/generated.jsonl.

--check       seconds: torchgen's part of every row is as torchgen writes it now
--check=full  minutes: the whole file is what would be written now
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.rulegen.check import stale_rows
from tests.rulegen.rows import Row, generate

TARGET = Path(__file__).resolve().parents[2] / "rules" / "generated.jsonl"


def text_of(rows: list[Row]) -> str:
    """One object a line, sorted by id."""
    return "".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: str(row["id"])))


def main(arguments: list[str]) -> int:
    """Write the file, or tell what in it is stale."""
    parser = argparse.ArgumentParser(prog="python -m tests.rulegen", description=__doc__)
    parser.add_argument("--check", nargs="?", const="codegen", choices=("codegen", "full"))
    asked = parser.parse_args(arguments).check
    if asked == "codegen":
        problems = stale_rows(TARGET)
        sys.stdout.writelines(f"{problem}\n" for problem in problems)
        return int(bool(problems))
    made = list(generate())
    text = text_of([row for row, _ in made])
    if asked == "full":
        same = TARGET.read_text(encoding="utf-8") == text
        sys.stdout.write("" if same else f"{TARGET} is stale: write it again and read the diff\n")
        return int(not same)
    TARGET.write_text(text, encoding="utf-8")
    sys.stdout.writelines(f"{row['id']}: {reason}\n" for row, reason in made if reason)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
