"""The page of a check as Markdown: for `explain`, for SARIF's help, for the README's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.checks.base import Check

_SILENT = "None: PyTorch says nothing, and the gradients are wrong."


def markdown(check: Check) -> str:
    """One page with its fixed sections."""
    page = check.page
    sections = [
        ("What it does", page.what),
        ("Why it is bad", page.why),
        ("PyTorch's error", f"```text\n{page.error}\n```" if page.error else _SILENT),
        ("Example", f"```python\n{page.bad}```"),
        ("Write instead", f"```python\n{page.good}```\n\n{page.instead}"),
    ]
    if not check.kind:
        sections = [section for section in sections if section[0] != "PyTorch's error"]
    parts = [f"# {check.code} {check.name}", check.summary]
    parts += [f"## {title}\n\n{text}" for title, text in sections]
    return "\n\n".join(parts) + "\n"


def table(checks: Iterable[Check]) -> str:
    """A Markdown table of codes, names and summaries."""
    rows = [f"| {check.code} | {check.name} | {check.summary} |" for check in checks]
    return "\n".join(["| code | name | what it finds |", "|---|---|---|", *rows]) + "\n"
