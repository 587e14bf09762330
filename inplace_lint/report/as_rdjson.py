"""Reviewdog's rdjson; its columns count UTF-8 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import byte_column, relative, story, to_json

if TYPE_CHECKING:
    from inplace_lint.diagnostic import Diagnostic, Span

_SEVERITIES = {"certain": "ERROR", "likely": "WARNING", "possible": "INFO"}


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """One DiagnosticResult."""
    rows = [_finding(run, found) for found in run.findings]
    for error in run.errors:
        start = {
            "line": error.line,
            "column": byte_column(run, error.path, error.line, error.column),
        }
        rows.append(
            {
                "message": error.message,
                "location": {"path": relative(error.path), "range": {"start": start}},
                "severity": "ERROR" if error.code == "IPA001" else "INFO",
                "code": {"value": error.code},
            }
        )
    return to_json({"source": {"name": "inplace-lint"}, "diagnostics": rows})


def _finding(run: Run, found: Diagnostic) -> dict[str, Any]:
    row: dict[str, Any] = {
        "message": story(found),
        "location": {"path": relative(found.span.path), "range": _range(run, found.span)},
        "severity": _SEVERITIES[found.confidence],
        "code": {"value": found.code},
    }
    if found.fix is not None:
        row["suggestions"] = [
            {"range": _range(run, edit.span), "text": edit.text}
            for edit in found.fix.edits
            if edit.span.path == found.span.path
        ]
    return row


def _range(run: Run, span: Span) -> dict[str, Any]:
    def point(line: int, column: int) -> dict[str, int]:
        return {"line": line, "column": byte_column(run, span.path, line, column)}

    return {
        "start": point(span.line, span.column),
        "end": point(span.end_line, span.end_column),
    }


REPORT = Report("rdjson", "reviewdog's format", render)
