"""A file that is too deep as a whole, statement by statement: only the deep ones are lost.

Nothing parses such a file, so its top-level statements are told apart by their tokens: one begins
with a line that is not indented, in no bracket and no string, and does not continue the one before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inplace_lint.source.depth import TOKEN
from inplace_lint.source.errors import DEPTH, SourceError
from inplace_lint.source.index import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BEGINS = re.compile(r"(?!(?:elif|else|except|finally)\b)[^\s#)\]}]")
_BOUND = re.compile(
    r"^(?:async\s+)?(?:def|class|type)\s+(\w+)|^(\w+)\s*(?::[^=]*)?=(?!=)", re.MULTILINE
)


def index_by_chunks(text: str, index: Callable[[str], list[Piece]]) -> list[Piece]:
    """The pieces that `index` finds in each chunk; a chunk too deep for it is one deep piece."""
    found: list[Piece] = []
    for chunk, first_line in _chunks(text):
        found.extend(_moved(piece, first_line - 1) for piece in _indexed(chunk, index))
    if all(piece.deep for piece in found):
        raise SourceError("nested too deeply to be parsed", kind=DEPTH)
    return found


def _indexed(chunk: str, index: Callable[[str], list[Piece]]) -> list[Piece]:
    try:
        return index(chunk)
    except SourceError as error:
        if error.kind != DEPTH:  # cut in the wrong place, or not Python: nobody can tell
            raise SourceError("nested too deeply to be parsed", kind=DEPTH) from None
    bound = _BOUND.search(chunk)
    names = tuple(name for name in bound.groups() if name) if bound else ()
    height = len(re.findall(r"\r\n|\n|\r", chunk.rstrip("\r\n")))
    return [Piece(1, 1 + height, "statement", names, deep=True)]


def _moved(piece: Piece, by: int) -> Piece:
    return Piece(piece.first_line + by, piece.last_line + by, piece.kind, piece.binds, piece.deep)


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    """The chunks and their first lines; a decorator begins the chunk of what it decorates."""
    start, line, decorated = 0, 1, text.startswith("@")
    for position in _beginnings(text):
        if not decorated and text[start:position].strip():
            yield text[start:position], line
            line += len(re.findall(r"\r\n|\n|\r", text[start:position]))
            start = position
        decorated = text[position] == "@"
    yield text[start:], line


def _beginnings(text: str) -> Iterator[int]:
    """Where lines begin that may begin a statement."""
    brackets = 0
    for token in TOKEN.finditer(text):
        brackets += (token.lastgroup == "open") - (token.lastgroup == "close")
        end = token.end()
        if token.lastgroup == "end" and brackets <= 0 and _BEGINS.match(text, end):
            yield end
