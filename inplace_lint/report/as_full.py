"""The default format: what happens, an excerpt with every leg labelled, what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.report.base import Report, Run
from inplace_lint.report.terminal import printable, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.diagnostic import ToolError


def render(run: Run, colour: bool) -> str:
    """All findings and unparsable files, a blank line after each."""
    blocks = []
    if run.findings:
        from inplace_lint.report.story import tell

        blocks = [(d.span.path, d.span.line, "\n".join(tell(run, d, colour))) for d in run.findings]
    blocks += [
        (e.path, e.line, "\n".join(_error(e, colour))) for e in run.errors if e.code == "IPA001"
    ]
    return "".join(f"{text}\n\n" for _, _, text in sorted(blocks, key=lambda block: block[:2]))


def _error(error: ToolError, colour: bool) -> Iterator[str]:
    code = styled(error.code, "code", colour)
    yield f"{code} {styled(printable(error.message), 'strong', colour)}"
    arrow = styled(" " * len(str(error.line)) + "-->", "gutter", colour)
    yield f"{arrow} {printable(error.path)}:{error.line}:{error.column}"


REPORT = Report("full", "excerpts with every leg labelled", render, for_people=True)
