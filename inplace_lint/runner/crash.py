"""How an internal error is told."""

from __future__ import annotations

import traceback
from pathlib import Path

_REPORT_AT = "https://github.com/inplace-lint/inplace-lint/issues"


def crash_words(error: BaseException) -> str:
    """Name an internal error without str(): of a libcst exception that may be megabytes."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"internal error: {type(error).__name__}{where}; please report it at {_REPORT_AT}"
