"""SARIF 2.1.0, as GitHub code scanning takes it: the legs as a code flow and as related places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inplace_lint import __version__
from inplace_lint.checks.pages import markdown
from inplace_lint.checks.registry import registry
from inplace_lint.report.base import ROLE_WORDS, Report, Run
from inplace_lint.report.keys import LEVELS, fingerprints, headline, relative, to_json

if TYPE_CHECKING:
    from inplace_lint.checks.base import Check
    from inplace_lint.diagnostic import Diagnostic, Edit, Fix, Leg, Span, ToolError

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_MOST = 25_000
"""GitHub refuses a file with more results."""


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """The whole log, one run."""
    codes = sorted({found.code for found in run.findings} | {e.code for e in run.errors})
    indices = {code: index for index, code in enumerate(codes)}
    keys = fingerprints(run)
    results = [_result(found, key, indices) for found, key in zip(run.findings, keys, strict=True)]
    results += [_unparsable(e, indices) for e in run.errors if e.code == "IPA001"]
    results.sort(key=lambda result: ("error", "warning", "note").index(result["level"]))
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver([registry()[code] for code in codes])},
                "automationDetails": {"id": "inplace-lint/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The folder the run was started in."}}
                },
                "invocations": [_invocation(run)],
                "results": results[:_MOST],
            }
        ],
    }
    return to_json(log)


def _driver(checks: list[Check]) -> dict[str, Any]:
    return {
        "name": "inplace-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(check) for check in checks],
    }


def _rule(check: Check) -> dict[str, Any]:
    text = markdown(check)
    return {
        "id": check.code,
        "name": "".join(part.title() for part in check.name.split("-")),
        "shortDescription": {"text": check.summary},
        "fullDescription": {"text": " ".join(check.page.what.split())},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": "error" if check.kind else "warning"},
        "properties": {
            "tags": ["pytorch", "autograd", "correctness"],
            "precision": "high",
            "problem.severity": "error" if check.kind else "warning",
        },
    }


def _invocation(run: Run) -> dict[str, Any]:
    told = [
        {
            "descriptor": {"id": error.code},
            "level": "warning",
            "message": {"text": error.message},
            "locations": [{"physicalLocation": _point(error)}],
        }
        for error in run.errors
        if error.code != "IPA001"
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": told}


def _result(found: Diagnostic, key: str, indices: dict[str, int]) -> dict[str, Any]:
    result = {
        "ruleId": found.code,
        "ruleIndex": indices[found.code],
        "level": LEVELS[found.confidence],
        "message": {"text": _message(found)},
        "locations": [{"physicalLocation": _physical(found.span)}],
        "partialFingerprints": {"inplaceLint/v1": key},
        "properties": {
            "confidence": found.confidence,
            "assumes": found.assumes,
            "kind": found.kind,
        },
    }
    if found.legs:
        flow = [{"location": _location(leg), "kinds": [leg.role]} for leg in found.legs]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
        result["relatedLocations"] = [
            {"id": number, **_location(leg)} for number, leg in enumerate(found.legs, 1)
        ]
    if found.fix is not None:
        result["fixes"] = [_fix(found.fix)]
    return result


def _message(found: Diagnostic) -> str:
    """The message with a link to each leg, as `[text](id)`."""
    links = [
        f"{ROLE_WORDS[leg.role]}: [{_link_text(leg.message)}]({number})"
        for number, leg in enumerate(found.legs, 1)
    ]
    lines = [_link_text(headline(found)), *links]
    if found.help:
        lines.append(f"Help: {_link_text(found.help)}")
    return "\n".join(lines)


def _link_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(leg: Leg) -> dict[str, Any]:
    words = f"{ROLE_WORDS[leg.role]}: {leg.message}"
    return {"physicalLocation": _physical(leg.span), "message": {"text": words}}


def _physical(span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.path), "region": _region(span)}


def _artifact(path: str) -> dict[str, str]:
    shown = relative(path)
    uri = quote(shown.encode(errors="surrogateescape"))
    if shown.startswith("/"):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": max(1, span.line),
        "startColumn": max(1, span.column),
        "endLine": max(1, span.end_line),
        "endColumn": max(1, span.end_column),
    }


def _point(error: ToolError) -> dict[str, Any]:
    region = {"startLine": max(1, error.line), "startColumn": max(1, error.column)}
    return {"artifactLocation": _artifact(error.path), "region": region}


def _unparsable(error: ToolError, indices: dict[str, int]) -> dict[str, Any]:
    return {
        "ruleId": error.code,
        "ruleIndex": indices[error.code],
        "level": "error",
        "message": {"text": error.message},
        "locations": [{"physicalLocation": _point(error)}],
        "partialFingerprints": {"inplaceLint/v1": f"{error.code}:{relative(error.path)}"},
    }


def _fix(fix: Fix) -> dict[str, Any]:
    paths = sorted({edit.span.path for edit in fix.edits})
    return {
        "description": {"text": f"{fix.safety}: {fix.reason}"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [_replacement(e) for e in fix.edits if e.span.path == path],
            }
            for path in paths
        ],
    }


def _replacement(edit: Edit) -> dict[str, Any]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


REPORT = Report("sarif", "SARIF 2.1.0, for GitHub code scanning and others", render)
