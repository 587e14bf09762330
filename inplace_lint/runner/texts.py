"""The lines of the files a report shows, read when they are asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.diagnostic import cell_path, split_cell
from inplace_lint.source import SourceError
from inplace_lint.source.decode import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LINE_END = re.compile(r"\r\n|\n|\r")


class Texts:
    """Texts by shown path; `known` holds what is not to be read from disk (stdin)."""

    def __init__(self, paths: Mapping[str, Path], known: Mapping[str, bytes | str]) -> None:
        self._paths = paths
        self._known = known
        self._texts: dict[str, str | None] = {}
        self._lines: dict[str, list[str]] = {}

    def asked_for(self, shown: str) -> bool:
        """Whether a path is one of the run's own, not only reached by import."""
        return split_cell(shown)[0] in self._paths

    def parts(self, shown: str) -> list[str]:
        """A file's shown path, or those of a notebook's cells."""
        if not shown.endswith(".ipynb"):
            return [shown]
        from inplace_lint.runner import notebook

        try:
            cells = notebook.parse(self._bytes(shown)).cells
        except SourceError:
            return []
        return [cell_path(shown, cell.number) for cell in cells]

    def text(self, shown: str) -> str | None:
        """The text of a file or of a notebook's cell, None if it can't be read."""
        if shown not in self._texts:
            try:
                self._texts[shown] = self._read(shown)
            except SourceError:
                self._texts[shown] = None
        return self._texts[shown]

    def lines(self, shown: str) -> Sequence[str] | None:
        """Its lines, split where Python splits them."""
        if shown not in self._lines:
            text = self.text(shown)
            if text is None:
                return None
            self._lines[shown] = _LINE_END.split(text)
        return self._lines[shown]

    def _read(self, shown: str) -> str | None:
        file, number = split_cell(shown)
        if number is not None:
            from inplace_lint.runner import notebook

            cell = notebook.parse(self._bytes(file)).cell(number)
            return None if cell is None else "\n".join(cell.lines)
        known = self._known.get(shown)
        return known if isinstance(known, str) else decode(self._bytes(shown))

    def _bytes(self, shown: str) -> bytes:
        known = self._known.get(shown)
        if known is None:
            return read_bytes(self._paths.get(shown) or Path(shown))
        return known.encode() if isinstance(known, str) else known
