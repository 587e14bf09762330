"""The one exception of the source layer."""

from __future__ import annotations

READ, PARSE, DEPTH = "read", "parse", "depth"


class SourceError(Exception):
    """A file or unit that can't be used; line and column are 1-based.

    `kind`: "read" (the system gave no bytes, or it is no regular file), "parse" (not Python, wrong
    encoding included), "depth" (Python perhaps, but nested or chained beyond what parsers survive).
    """

    def __init__(self, message: str, line: int = 1, column: int = 1, kind: str = PARSE) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.kind = kind
