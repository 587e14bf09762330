"""Files to bytes to text, as Python reads source: PEP 263 cookie, byte order mark, else UTF-8."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from inplace_lint.source.errors import READ, SourceError

if TYPE_CHECKING:
    from pathlib import Path

_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_LINE_END = re.compile(rb"\r\n|\r|\n")


def is_file(path: Path | str) -> bool:
    """Whether a regular file is there; unlike Path.is_file, no folder or name makes it raise."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """The same for a folder."""
    return os.path.isdir(path)  # noqa: PTH112


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file; a FIFO or device would block or never end, so it is refused."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()  # says why it could not be entered
        if not stat.S_ISREG(mode):
            raise SourceError("not a regular file", kind=READ)
        return path.read_bytes()
    except OSError as error:
        raise SourceError(error.strerror or type(error).__name__, kind=READ) from None
    except ValueError:
        raise SourceError("not a valid path", kind=READ) from None


def decode(data: bytes) -> str:
    """The text of a source file, without its byte order mark."""
    if data.startswith(_BOM):
        return _decode_as(data[len(_BOM) :], "utf-8", 1)
    encoding, line = _cookie(data)
    return _decode_as(data, encoding, line)


def _cookie(data: bytes) -> tuple[str, int]:
    """The declared encoding and its line; the second line counts if the first is bare."""
    for number, line in enumerate(_LINE_END.split(data[:4096], 2)[:2], 1):
        found = _COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii", "replace"), number
        if not _BLANK.match(line):
            break
    return "utf-8", 1


def _decode_as(data: bytes, encoding: str, line: int) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise SourceError(f"unknown encoding: {encoding}", line) from None
    except UnicodeDecodeError as error:
        head = _LINE_END.split(data[: error.start])
        column = len(head[-1].decode(encoding, "replace")) + 1
        raise SourceError(f"not valid {error.encoding} text", len(head), column) from None
    except ValueError:
        raise SourceError(f"not valid {encoding} text") from None
