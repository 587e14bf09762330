"""GitLab's code quality report: unique fingerprints that survive shifted lines."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import fingerprints, relative, story, to_json

if TYPE_CHECKING:
    from inplace_lint.diagnostic import Diagnostic, Span, ToolError

_SEVERITIES = {"certain": "critical", "likely": "major", "possible": "info"}


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """An array of issues."""
    keys = fingerprints(run)
    rows = [_finding(found, key) for found, key in zip(run.findings, keys, strict=True)]
    rows += [_error(error) for error in run.errors]
    return to_json(rows)


def _finding(found: Diagnostic, key: str) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": found.code,
        "description": story(found),
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES[found.confidence],
        "fingerprint": key,
        "location": _location(found.span),
        "other_locations": [_location(leg.span) for leg in found.legs],
    }


def _location(span: Span) -> dict[str, Any]:
    lines = {"begin": max(1, span.line), "end": max(1, span.end_line)}
    return {"path": relative(span.path), "lines": lines}


def _error(error: ToolError) -> dict[str, Any]:
    path = relative(error.path)
    whole = f"{path}\0{error.code}\0{error.message}\0{error.line}\0{error.column}"
    return {
        "type": "issue",
        "check_name": error.code,
        "description": error.message,
        "severity": "major" if error.code == "IPA001" else "info",
        "fingerprint": hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()[:32],
        "location": {"path": path, "lines": {"begin": max(1, error.line)}},
    }


REPORT = Report("gitlab", "GitLab's code quality report", render)
