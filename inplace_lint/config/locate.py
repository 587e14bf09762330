"""Finds keys and values in the text of a TOML file, which parsers give without positions.

    [tool.inplace-lint]
    select = ["IPA1", "IPA9"]

`Locator(text).value("tool.inplace-lint", "select", "IPA9")` is (2, 19): where the string begins.
A key is searched in its table only; what can't be found is placed at the nearest that can.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HEADER = re.compile(r"^[ \t]*\[+\s*(?P<name>[^\]]*?)\s*\]+", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*(?P<key>[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?=\s*[=.])", re.MULTILINE)

Place = tuple[int, int]


class _Table(NamedTuple):
    """A table: its name, where its header stands, and where its lines begin and end."""

    name: str
    header: int
    start: int
    end: int


class Locator:
    """Positions in one TOML text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tables = _tables(text)

    def key(self, table: str, key: str) -> Place:
        """Where `key` of `table` stands; the subtable's header where it is one."""
        return self._place(self._key(table, key))

    def value(self, table: str, key: str, item: str) -> Place:
        """Where the string `item` stands behind a key."""
        start = self._key(table, key)
        for quote in '"', "'":
            at = self._text.find(quote + item + quote, start)
            if at >= 0:
                return self._place(at)
        return self._place(start)

    def _key(self, table: str, key: str) -> int:
        whole = f"{table}.{key}" if table else key
        for part in self._tables:
            if part.name == whole or part.name.startswith(f"{whole}."):
                return part.header
        fallback = 0
        for part in self._tables:
            if part.name != table:
                continue
            fallback = max(fallback, part.header)
            for match in _KEY.finditer(self._text, part.start, part.end):
                if match["key"].strip("\"'") == key:
                    return match.start("key")
        return fallback

    def _place(self, at: int) -> Place:
        line = self._text.count("\n", 0, at) + 1
        return line, at - self._text.rfind("\n", 0, at)


def _tables(text: str) -> list[_Table]:
    """The tables in order; the first, nameless one is what stands above any header."""
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers] + [len(text)]
    tables = [_Table("", 0, 0, ends[0])]
    for header, end in zip(headers, ends[1:], strict=True):
        name = re.sub(r"[\"'\s]", "", header["name"])
        tables.append(_Table(name, header.start("name"), header.end(), end))
    return tables
