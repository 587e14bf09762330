"""One JSON object a line: `{"type": "finding", ...}` or `{"type": "error", ...}`."""

from __future__ import annotations

from inplace_lint.report.as_json import error, finding
from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import to_json


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """Findings first, then errors."""
    rows = [{"type": "finding", **finding(found)} for found in run.findings]
    rows += [{"type": "error", **error(told)} for told in run.errors]
    return "".join(to_json(row, None) for row in rows)


REPORT = Report("json-lines", "one JSON object a line", render)
