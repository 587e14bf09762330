"""Workflow commands of GitHub Actions: annotations within its limits, worst first.

GitHub shows ten annotations a level and step, so what goes beyond is printed as plain lines, and
one annotation says so. The full table goes to the step's summary.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import LEVELS, headline, relative, story, worst_first
from inplace_lint.report.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inplace_lint.diagnostic import Diagnostic, ToolError

_MOST = 9
"""Of ten a level, one is kept for the note about the rest."""
_MARKUP = re.compile(r"[]\\`*_{}()<>#+!|~&@$[]")
_NAMES = {"error": "error", "warning": "warning", "note": "notice"}


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """Annotations, then plain lines for what no annotation is left for."""
    shown: Counter[str] = Counter()
    commands: list[str] = []
    rest: list[str] = []
    for level, command, plain in _rows(run):
        shown[level] += 1
        if shown[level] <= _MOST:
            commands.append(command)
        else:
            rest.append(printable(f"- {plain}"))
    if rest:
        commands.append(f"::notice title=inplace-lint::{len(rest)} more in the log of this step")
    return "".join(f"{line}\n" for line in commands + rest)


def _rows(run: Run) -> Iterator[tuple[str, str, str]]:
    """Level, annotation and plain line of everything, worst first."""
    for error in run.errors:
        level = "error" if error.code == "IPA001" else "warning"
        place = f"{relative(error.path)}:{error.line}:{error.column}"
        yield level, _error(error, level), f"{place}: {error.code} {error.message}"
    for found in worst_first(run.findings):
        level = _NAMES[LEVELS[found.confidence]]
        place = f"{relative(found.span.path)}:{found.span.line}:{found.span.column}"
        yield level, _finding(found, level), f"{place}: {found.code} {headline(found)}"


def summary(run: Run) -> str:
    """Markdown for $GITHUB_STEP_SUMMARY."""
    if not run.findings and not run.errors:
        return f"**inplace-lint**: nothing found in {run.checked} files.\n"
    rows = [
        (found.span.path, found.span.line, found.code, headline(found))
        for found in worst_first(run.findings)
    ]
    rows += [(error.path, error.line, error.code, error.message) for error in run.errors]
    lines = ["### inplace-lint", "", "| where | code | what |", "|---|---|---|"]
    lines += [
        f"| {_literal(relative(path))}:{line} | {code} | {_cell(words)} |"
        for path, line, code, words in rows
    ]
    return "\n".join(lines) + "\n"


def _finding(found: Diagnostic, level: str) -> str:
    span = found.span
    place: dict[str, object] = {"file": relative(span.path)}
    place |= {"line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:
        place |= {"col": span.column, "endColumn": span.end_column}
    return _command(level, {**place, "title": f"{found.code} {found.name}"}, story(found))


def _error(error: ToolError, level: str) -> str:
    place = {"file": relative(error.path), "line": error.line, "col": error.column}
    return _command(level, {**place, "title": error.code}, error.message)


def _command(level: str, properties: Mapping[str, object], message: str) -> str:
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    parts = [printable(line) for line in text.split("\n")]
    return "%0A".join(part.replace("%", "%25").replace("\r", "%0D") for part in parts)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _literal(text: str) -> str:
    """Text in which Markdown finds no markup: `__init__.py` is no bold word."""
    return _MARKUP.sub(r"\\\g<0>", printable(text))


def _cell(text: str) -> str:
    for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(sign, escaped)
    return printable(text)


REPORT = Report(
    "github",
    "annotations of GitHub Actions and a step summary",
    render,
    aside=("GITHUB_STEP_SUMMARY", summary),
)
