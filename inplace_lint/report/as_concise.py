"""One line a finding, for flake8-style tools: `path:line:col: IPA101 message [likely: if ...]`."""

from __future__ import annotations

from inplace_lint.report.base import Report, Run, certainty
from inplace_lint.report.terminal import printable


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """Findings and unparsable files, by place."""
    rows = []
    for found in run.findings:
        doubt = f" [{certainty(found)}]" if certainty(found) else ""
        place = (found.span.path, found.span.line, found.span.column, found.code)
        rows.append((place, found.message + doubt))
    for error in run.errors:
        if error.code == "IPA001":
            rows.append(((error.path, error.line, error.column, error.code), error.message))
    return "".join(f"{_line(place, words)}\n" for place, words in sorted(rows))


def _line(place: tuple[str, int, int, str], words: str) -> str:
    path, line, column, code = place
    return printable(f"{path}:{line}:{column}: {code} {words}")


REPORT = Report("concise", "one line a finding", render, for_people=True)
