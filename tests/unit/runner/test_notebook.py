"""Notebooks: cells as text and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inplace_lint.diagnostic import Diagnostic, Leg, Span, ToolError, cell_path, split_cell
from inplace_lint.runner import notebook
from inplace_lint.runner.protocol import FileReport
from inplace_lint.source import SourceError


def data(*cells: str, **metadata) -> bytes:
    rows = []
    for source in cells:
        kind = "markdown" if source.startswith("#md") else "code"
        rows.append({"cell_type": kind, "source": source.splitlines(keepends=True)})
    return json.dumps({"cells": rows, "metadata": metadata, "nbformat": 4}).encode()


def test_cells_are_joined_and_numbered_among_all():
    book = notebook.parse(data("a = 1\nb = 2", "#md text", "", "c = 3"))
    assert book.text == "a = 1\nb = 2\n\nc = 3\n"
    assert [cell.number for cell in book.cells] == [1, 3, 4]
    assert [book.place(line) for line in range(1, 5)] == [(1, 1), (1, 2), (3, 1), (4, 1)]


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if x:\n    !ls\n    %time y()", "if x:\n    pass\n    pass"),
        ("files = !ls\nt = %timeit -o f()", "files = None\nt = None"),
        ("x.add_?\n??y\nz", "pass\npass\nz"),
        ("%%bash\nls -l\necho", "\n\n"),
        ("%%time\ny.add_(1)", "pass\ny.add_(1)"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ("x = 1  # really?", "x = 1  # really?"),
        ("# why %?", "# why %?"),
    ],
)
def test_what_is_not_python_is_blanked(source, python):
    assert notebook.parse(data(source)).text == python + "\n"


def test_other_languages_are_left_alone():
    assert notebook.parse(data("x <- 1", kernelspec={"language": "R"})).cells == ()
    assert notebook.parse(data("x = 1", kernelspec={"language": "python"})).cells
    assert notebook.parse(data("x = 1", kernelspec=["R"], language_info="R")).cells


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "not a notebook"),
        (b"[]", "no cells"),
        (b"{}", "no cells"),
        (b'{"cells": 1}', "no cells"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "not a notebook"),
        (b'{"cells": [], "a": %s}' % (b"1" * 5000), "not a notebook"),
    ],
)
def test_what_is_no_notebook_is_refused(raw, words):
    with pytest.raises(SourceError, match=words):
        notebook.parse(raw)


def test_odd_cells_are_passed_over():
    raw = json.dumps({"cells": [1, {}, {"cell_type": "code", "source": ["x", " = 1"]}]}).encode()
    assert notebook.parse(raw).text == "x = 1\n"


def test_reports_are_moved_into_cells():
    book = notebook.parse(data("a\nb", "c\nd"))
    at, other = Span("n.ipynb", 4, 2, 4, 3), Span("m.py", 4, 1, 4, 2)
    legs = (Leg("saved", Span("n.ipynb", 1, 1, 2, 2), "s"), Leg("via", other, "v"))
    found = Diagnostic(at, "IPA101", "", "", "certain", "m", None, legs, "")
    report = FileReport((found,), (ToolError("n.ipynb", 3, 1, "IPA002", "e"),))
    moved = notebook.to_cells(report, "n.ipynb", book)
    assert moved.findings[0].span == Span("n.ipynb:cell 2", 2, 2, 2, 3)
    assert moved.findings[0].legs[0].span == Span("n.ipynb:cell 1", 1, 1, 2, 2)
    assert moved.findings[0].legs[1].span == other
    assert moved.errors == (ToolError("n.ipynb:cell 2", 1, 1, "IPA002", "e"),)


def test_cell_paths():
    assert split_cell(cell_path("a/n.ipynb", 12)) == ("a/n.ipynb", 12)
    assert split_cell("a/n.py:cell 12") == ("a/n.py:cell 12", None)
    assert Path("n.ipynb").as_posix() == split_cell("n.ipynb")[0]
