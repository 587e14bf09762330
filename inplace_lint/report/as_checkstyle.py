"""Checkstyle XML."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from inplace_lint.report.as_junit import document, safe
from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import LEVELS, relative, story

_SEVERITIES = {"error": "error", "warning": "warning", "note": "info"}


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """A <file> for each file with something to say."""
    rows = [
        (d.span.path, d.span.line, d.span.column, d.code, LEVELS[d.confidence], story(d))
        for d in run.findings
    ]
    rows += [
        (e.path, e.line, e.column, e.code, "error" if e.code == "IPA001" else "note", e.message)
        for e in run.errors
    ]
    root = ElementTree.Element("checkstyle", version="8.0")
    for path, group in groupby(sorted(rows), key=lambda row: row[0]):
        file = ElementTree.SubElement(root, "file", name=safe(relative(path)))
        for _, line, column, code, level, words in group:
            ElementTree.SubElement(
                file,
                "error",
                line=str(line),
                column=str(column),
                severity=_SEVERITIES[level],
                message="\n".join(safe(part) for part in words.split("\n")),
                source=f"inplace-lint.{code}",
            )
    return document(root)


REPORT = Report("checkstyle", "checkstyle XML", render)
