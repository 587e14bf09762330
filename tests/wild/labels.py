"""What was read: one label a finding, kept in `labels.jsonl`, one JSON object a line.

    true          it is so: a reproduction shows it
    conditional   it is so only under an assumption that seldom holds; `reason` says which
    false         it is not so

A finding is known again by its package, file, code and line of source, of which a digest is kept,
so that lines may move. Two findings may share them: then each needs a label of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

LABELS = Path(__file__).with_name("labels.jsonl")
KINDS = ("true", "conditional", "false")
DIGITS = 12


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What a finding is known by."""

    package: str
    path: str
    code: str
    text: str
    """a digest of the line it stands on"""


@dataclass(frozen=True, slots=True)
class Label:
    """A verdict on one finding."""

    package: str
    path: str
    line: int
    code: str
    text: str
    confidence: str
    label: str
    reason: str
    reproduction: str

    @property
    def place(self) -> Place:
        """What the finding is known by."""
        return Place(self.package, self.path, self.code, self.text)


def digest(line: str) -> str:
    """A short digest of a line of source, indentation apart."""
    return hashlib.sha256(line.strip().encode()).hexdigest()[:DIGITS]


def read() -> list[Label]:
    """All labels."""
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    return [Label(**json.loads(line)) for line in lines]


def write(labels: Iterable[Label]) -> None:
    """Keep labels, sorted."""
    ordered = sorted(labels, key=lambda label: (label.package, label.path, label.line, label.code))
    text = "".join(json.dumps(asdict(label), ensure_ascii=False) + "\n" for label in ordered)
    LABELS.write_text(text, encoding="utf-8")


def sketch(package: str, folder: Path, finding: Mapping[str, object]) -> Label:
    """A finding of the JSON report as a label that still wants its verdict."""
    file, line = folder / str(finding["path"]), int(str(finding["line"]))
    path = file.absolute().relative_to(folder.absolute()).as_posix()
    source = file.read_text(encoding="utf-8").splitlines()
    return Label(
        package=package,
        path=path,
        line=line,
        code=str(finding["code"]),
        text=digest(source[line - 1]),
        confidence=str(finding["confidence"]),
        label="",
        reason=str(finding["assumes"] or ""),
        reproduction="",
    )


def compare(
    found: Iterable[Label], known: Iterable[Label]
) -> tuple[list[Label], list[Label], list[Label]]:
    """Findings without a label, labels without a finding, and labels that were met."""
    found, known = list(found), list(known)
    return _without(found, known), _without(known, found), _met(found, known)


def _without(these: list[Label], those: list[Label]) -> list[Label]:
    left = Counter(label.place for label in those)
    kept = []
    for label in these:
        if left[label.place]:
            left[label.place] -= 1
        else:
            kept.append(label)
    return kept


def _met(found: list[Label], known: list[Label]) -> list[Label]:
    gone = {id(label) for label in _without(known, found)}
    return [label for label in known if id(label) not in gone]
