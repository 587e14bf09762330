"""Bytes to text: PEP 263, byte order marks, what is no file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inplace_lint.source import SourceError, SourceFile, read_source


def read(tmp_path: Path, data: bytes) -> SourceFile:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    return read_source(path, "shown.py")


def error(file: SourceFile) -> SourceError:
    assert file.error is not None
    assert file.units == []
    return file.error


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = '\xc3\xa9'\n", "x = 'é'\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", "# coding: utf-8\nx = 1\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (b"#!python\n# vim: set fileencoding=cp1252 :\ny = '\x80'\n", None),
        (b"x = 1\n# coding: nonsense\n", "x = 1\n# coding: nonsense\n"),
        (b"\n\n# coding: nonsense\n", "\n\n# coding: nonsense\n"),
        (b"", ""),
    ],
)
def test_decodes_as_python_does(tmp_path: Path, data: bytes, text: str | None) -> None:
    file = read(tmp_path, data)
    assert file.error is None
    assert file.text == (
        text if text is not None else "#!python\n# vim: set fileencoding=cp1252 :\ny = '€'\n"
    )


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b"x = 1\ny = '\xc3\xa9\xff'\n", 2, 7, "not valid utf-8 text"),
        (b"x = 1\r\xff", 2, 1, "not valid utf-8 text"),
        (b"\n# coding: klingon\n", 2, 1, "unknown encoding: klingon"),
        (b"# coding: rot13\nk = 1\n", 1, 1, "unknown encoding: rot13"),
        (b"\xff\xfex\x00", 1, 1, "not valid utf-8 text"),
    ],
)
def test_bad_text_is_a_parse_error_with_its_place(
    tmp_path: Path, data: bytes, line: int, column: int, message: str
) -> None:
    found = error(read(tmp_path, data))
    assert (found.kind, found.message, found.line, found.column) == (
        "parse",
        message,
        line,
        column,
    )


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo.py"
    os.mkfifo(fifo)
    for path in (fifo, tmp_path):
        assert error(read_source(path)).kind == "read"
    assert "No such file" in error(read_source(tmp_path / "gone.py")).message
    assert error(read_source("nul\0.py")).kind == "read"


def test_a_file_knows_how_it_is_shown_and_where_it_lies(tmp_path: Path) -> None:
    file = read(tmp_path, b"x = 1\n")
    assert (file.path, file.file) == ("shown.py", tmp_path / "a.py")
    assert read_source(tmp_path / "a.py").path == (tmp_path / "a.py").as_posix()
