"""The JSON contract, version 1: every finding with its legs, and the tool's errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inplace_lint.diagnostic import split_cell
from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import to_json

if TYPE_CHECKING:
    from inplace_lint.diagnostic import Diagnostic, Fix, Span, ToolError


def place(span: Span) -> dict[str, Any]:
    """The fields that say where something stands; `cell` in notebooks only."""
    path, cell = split_cell(span.path)
    return {
        "path": path,
        **({} if cell is None else {"cell": cell}),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def finding(found: Diagnostic) -> dict[str, Any]:
    """One finding as in the contract."""
    return {
        **place(found.span),
        "code": found.code,
        "name": found.name,
        "kind": found.kind,
        "confidence": found.confidence,
        "message": found.message,
        "assumes": found.assumes,
        "legs": [
            {"role": leg.role, **place(leg.span), "message": leg.message} for leg in found.legs
        ],
        "help": found.help,
        "fix": _fix(found.fix),
    }


def error(told: ToolError) -> dict[str, Any]:
    """One error of the tool as in the contract."""
    path, cell = split_cell(told.path)
    return {
        "path": path,
        **({} if cell is None else {"cell": cell}),
        "line": told.line,
        "column": told.column,
        "code": told.code,
        "message": told.message,
    }


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    edits = [{**place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"safety": fix.safety, "reason": fix.reason, "edits": edits}


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """One object."""
    whole = {
        "version": 1,
        "findings": [finding(found) for found in run.findings],
        "errors": [error(told) for told in run.errors],
    }
    return to_json(whole)


REPORT = Report("json", "the JSON contract, version 1", render)
