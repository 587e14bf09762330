"""Findings under a heading a file, each with its legs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inplace_lint.report.base import ROLE_WORDS, Report, Run
from inplace_lint.report.keys import headline
from inplace_lint.report.terminal import printable, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.diagnostic import Diagnostic


def render(run: Run, colour: bool) -> str:
    """A block a file; unparsable files have one, too."""
    rows = [
        (found.span.path, found.span.line, found.span.column, list(_finding(found, colour)))
        for found in run.findings
    ]
    rows += [
        (e.path, e.line, e.column, [_row(e.line, e.column, e.code, e.message, colour)])
        for e in run.errors
        if e.code == "IPA001"
    ]
    rows.sort(key=lambda row: row[:3])
    text = []
    for path, group in groupby(rows, key=lambda row: row[0]):
        text.append(styled(printable(path), "strong", colour) + ":\n")
        text += [f"{line}\n" for row in group for line in row[3]]
        text.append("\n")
    return "".join(text)


def _finding(found: Diagnostic, colour: bool) -> Iterator[str]:
    span = found.span
    yield _row(span.line, span.column, found.code, headline(found), colour)
    for leg in found.legs:
        place = f"{leg.span.line}:{leg.span.column}"
        if leg.span.path != span.path:
            place = f"{leg.span.path}:{place}"
        yield printable(f"         {ROLE_WORDS[leg.role]} at {place}: {leg.message}")
    if found.help:
        yield printable(f"         help: {found.help}")


def _row(line: int, column: int, code: str, words: str, colour: bool) -> str:
    place = f"{line}:{column}"
    return f"  {place:>6} {styled(code, 'code', colour)} {printable(words)}"


REPORT = Report("grouped", "findings by file, each with its legs", render, for_people=True)
