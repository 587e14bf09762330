"""The quick check of generated.jsonl: what torchgen says of each row, and nothing is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.rulegen.bindings import bindings
from tests.rulegen.codegen import facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.rulegen.rows import Row


def stale_rows(path: Path) -> list[str]:
    """What in the file differs from torchgen's output."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ids = [row["id"] for row in rows]
    found = [] if ids == sorted(set(ids)) else ["ids are not sorted, or not unique"]
    for row in rows:
        found += [f"{row['id']}: {text}" for text in _differences(row)]
    return found


def _differences(row: Row) -> Iterator[str]:
    native = row["id"].partition("@")[0]
    if native.startswith("py:"):
        return
    known = facts().get(native)
    binding = bindings().get(native)
    if known is None or binding is None:
        yield "torch has no such overload"
        return
    signatures = {tuple(sig): sorted(names) for sig, names in binding.names.items()}
    if signatures.get(tuple(row["sig"])) != row["api"]:
        yield "names or signature differ"
    if row["src"] == "codegen":
        for word, entries in (("saves", known.saves), ("clones", known.clones)):
            if row.get(word, []) != sorted(entries):
                yield f"{word}: {row.get(word, [])}, torchgen: {sorted(entries)}"
