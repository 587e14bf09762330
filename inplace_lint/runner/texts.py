"""The lines of the files a report shows, read when they are asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.source import SourceError
from inplace_lint.source.decode import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LINE_END = re.compile(r"\r\n|\n|\r")


class Texts:
    """Texts by shown path; `known` are those that are not on disk (stdin)."""

    def __init__(self, paths: Mapping[str, Path], known: Mapping[str, bytes]) -> None:
        self._paths = paths
        self._known = known
        self._texts: dict[str, str | None] = {}
        self._lines: dict[str, list[str]] = {}

    def text(self, shown: str) -> str | None:
        """The text of a file, None if it can't be read."""
        if shown not in self._texts:
            try:
                self._texts[shown] = decode(self._bytes(shown))
            except SourceError:
                self._texts[shown] = None
        return self._texts[shown]

    def _bytes(self, shown: str) -> bytes:
        data = self._known.get(shown)
        return read_bytes(self._paths.get(shown) or Path(shown)) if data is None else data

    def lines(self, shown: str) -> Sequence[str] | None:
        """Its lines, split where Python splits them."""
        if shown not in self._lines:
            text = self.text(shown)
            if text is None:
                return None
            self._lines[shown] = _LINE_END.split(text)
        return self._lines[shown]
