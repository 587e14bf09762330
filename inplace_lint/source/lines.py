"""Lines as Python counts them: they end with \\n, \\r\\n or \\r and nothing else."""

from __future__ import annotations

import re
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\n|\r")


def split(text: str) -> tuple[list[str], list[int]]:
    """The lines without their ends; the offsets where they begin, and the text's length."""
    if "\r" in text:
        starts = [0, *(end.end() for end in _LINE_END.finditer(text)), len(text)]
        return _LINE_END.split(text), starts
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    starts[-1] = len(text)
    return lines, starts
