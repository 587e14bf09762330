"""The facts about each commit, and what they have to look like."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FACTS = Path(__file__).parent / "pairs.json"
OUTCOMES = frozenset(
    "saved-modified leaf-inplace leaf-view-inplace multi-view-inplace nograd-view-inplace "
    "custom-view-inplace overlap out-requires-grad inference-tensor silent freed-graph".split()
)
VISIBLE = frozenset({"in-file", "imported-module", "argument"})
VERIFIED = frozenset({"driver", "snippet"})


@dataclass(frozen=True, slots=True)
class Row:
    """One file that one commit changed."""

    repo: str
    commit: str
    path: str
    slug: str
    set: str  # pairs: a bug that PyTorch confirms; nonpairs: what it shows was none
    hazard: str  # of a pair; why there is none of a nonpair
    verified: str
    kind: str = ""
    visible: str = "in-file"
    mutation_lines: tuple[int, ...] = ()  # in the file before the commit
    saved_lines: tuple[int, ...] = ()
    left_lines: tuple[int, ...] = ()  # writes that PyTorch rejects in the file after it too

    @property
    def is_bug(self) -> bool:
        """Whether the commit took a bug away."""
        return self.set == "pairs"

    @property
    def url(self) -> str:
        """The page of the commit."""
        return f"https://github.com/{self.repo}/commit/{self.commit}"


def load(path: Path = FACTS) -> list[Row]:
    """The rows in the file's order."""
    return [_row(fields) for fields in json.loads(path.read_text(encoding="utf-8"))]


def _row(fields: dict[str, object]) -> Row:
    known = {name: fields[name] for name in Row.__slots__ if name in fields}
    lists = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    known.setdefault("hazard", fields.get("why_clean"))
    return Row(**(known | lists))  # type: ignore[arg-type]
