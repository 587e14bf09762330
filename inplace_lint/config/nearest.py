"""Which configuration file is in force in a folder: the nearest, looking upwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inplace_lint.source import SourceError
from inplace_lint.source.decode import is_file, read_bytes

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("inplace-lint.toml", ".inplace-lint.toml", "pyproject.toml")
_OUR_TABLE = re.compile(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*[\"']?inplace-lint\b", re.MULTILINE)


def nearest(folder: Path, known: dict[Path, Path | None]) -> Path | None:
    """The configuration file in force for files in `folder`; `known` are the answers so far."""
    candidate = folder.absolute()
    asked: list[Path] = []
    while candidate not in known:
        asked.append(candidate)
        found = _in(candidate)
        if found is not None or candidate == candidate.parent:
            known[candidate] = found
            break
        candidate = candidate.parent
    known.update(dict.fromkeys(asked, known[candidate]))
    return known[candidate]


def _in(folder: Path) -> Path | None:
    for name in NAMES:
        path = folder / name
        if is_file(path) and (name != "pyproject.toml" or _has_our_table(path)):
            return path
    return None


def _has_our_table(path: Path) -> bool:
    try:
        data = read_bytes(path)
    except SourceError:
        return False
    return bool(_OUR_TABLE.search(data.decode(errors="replace")))
