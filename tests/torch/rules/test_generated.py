"""rules/generated.jsonl is what the installed torch gives, and covers the public names."""

from __future__ import annotations

import json
from pathlib import Path

from inplace_lint.opdb.load import folder
from inplace_lint.opdb.resolve import canonical, find
from tests.rulegen.__main__ import text_of
from tests.rulegen.check import stale_rows

HERE = Path(__file__).parent
NAMES = [line for line in (HERE / "public_names.txt").read_text(encoding="utf-8").split() if line]
LEAST = 0.97


def test_codegen_part_is_fresh() -> None:
    assert stale_rows(folder() / "generated.jsonl") == []


def test_a_wrong_row_is_stale(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (folder() / "generated.jsonl").read_text().splitlines()]
    wrong = next(row for row in rows if row["id"] == "exp")
    wrong["saves"] = ["self"]
    file = tmp_path / "generated.jsonl"
    file.write_text(text_of(rows), encoding="utf-8")
    assert stale_rows(file) == ["exp: saves: ['self'], torchgen: ['ret']"]


def full_name(name: str) -> str:
    """The dotted path of a name as public_names.txt shortens it."""
    return name if name.startswith(("F.", "Tensor.", "torch.")) else f"torch.{name}"


def test_public_names_resolve() -> None:
    unknown = [name for name in NAMES if not find(canonical(full_name(name)))]
    assert 1 - len(unknown) / len(NAMES) >= LEAST
    lines = (HERE / "unresolved_names.txt").read_text(encoding="utf-8").splitlines()
    told = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert told == unknown
