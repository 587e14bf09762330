"""Which configuration file is in force in a folder: the nearest, looking upwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("inplace-lint.toml", ".inplace-lint.toml", "pyproject.toml")
_OUR_TABLE = re.compile(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*[\"']?inplace-lint\b", re.MULTILINE)


def nearest(folder: Path) -> Path | None:
    """The configuration file in force for files in `folder`."""
    whole = folder.absolute()
    for candidate in (whole, *whole.parents):
        for name in NAMES:
            path = candidate / name
            if path.is_file() and (name != "pyproject.toml" or _has_our_table(path)):
                return path
    return None


def _has_our_table(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return bool(_OUR_TABLE.search(text))
