"""The progress bar and the decision about colours."""

from __future__ import annotations

import io
import sys

import pytest

from inplace_lint.cli import output


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def as_stderr(stream: io.StringIO, monkeypatch) -> io.StringIO:
    """Put a stream in the place of stderr; from within the test, since pytest puts its own."""
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_no_bar_where_nobody_sees_it(monkeypatch):
    as_stderr(io.StringIO(), monkeypatch)
    with output.progress_bar(True) as progress:
        assert progress is None


def test_no_bar_when_it_is_not_wanted(monkeypatch):
    as_stderr(Terminal(), monkeypatch)
    with output.progress_bar(False) as progress:
        assert progress is None


def test_a_long_run_shows_a_bar_and_leaves_nothing_behind(monkeypatch):
    terminal = as_stderr(Terminal(), monkeypatch)
    monkeypatch.setattr(output, "_PATIENCE", -1.0)
    with output.progress_bar(True) as progress:
        assert progress is not None
        for done in range(1, 4):
            progress(done, 3)
    assert "3/3" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")


def test_a_short_run_shows_none(monkeypatch):
    terminal = as_stderr(Terminal(), monkeypatch)
    with output.progress_bar(True) as progress:
        assert progress is not None
        progress(1, 1)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(
    ("choice", "environment", "terminal_there", "wanted"),
    [
        ("auto", {}, False, False),
        ("auto", {}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colours(choice, environment, terminal_there, wanted, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Terminal() if terminal_there else io.StringIO()
    assert output.wants_colour(stream, choice) is wanted
