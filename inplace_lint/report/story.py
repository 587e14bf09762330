"""One finding as the full format tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.report.base import ROLE_WORDS, certainty
from inplace_lint.report.excerpt import Canvas, Label, draw
from inplace_lint.report.terminal import printable, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.diagnostic import Diagnostic
    from inplace_lint.report.base import Run


def tell(run: Run, found: Diagnostic, colour: bool) -> Iterator[str]:
    """The lines of one finding: headline, excerpts of each file, assumption, help."""
    doubt = f" [{found.confidence}]" if found.confidence != "certain" else ""
    code = styled(found.code + doubt, "code", colour)
    yield f"{code} {styled(printable(found.message), 'strong', colour)}"
    labels = _labels(found)
    margin = max(len(str(label.span.line)) for label in labels)
    paths = sorted({x.span.path for x in labels}, key=lambda path: (path != found.span.path, path))
    for path in paths:
        here = [label for label in labels if label.span.path == path]
        yield from _file(Canvas(run.lines_of(path) or (), margin, colour), path, here)
    if doubt := certainty(found):
        yield _note(margin, "assumes", found.assumes or doubt, colour)
    if found.help:
        yield _note(margin, "help", found.help, colour)
    if found.fix is not None:
        yield _note(margin, "fix", f"{found.fix.safety}: {found.fix.reason}", colour)


def _file(canvas: Canvas, path: str, labels: list[Label]) -> Iterator[str]:
    primary = next((label for label in labels if label.primary), labels[0])
    arrow = styled(
        " " * canvas.margin + ("-->" if primary.primary else ":::"), "gutter", canvas.colour
    )
    yield f"{arrow} {printable(path)}:{primary.span.line}:{primary.span.column}"
    if canvas.lines:
        yield from draw(canvas, labels)
        return
    for label in labels:
        yield f"{canvas.row('', '=')} line {label.span.line}: {printable(label.words)}"


def _labels(found: Diagnostic) -> list[Label]:
    labels = [
        Label(leg.span, f"{ROLE_WORDS[leg.role]}: {leg.message}", leg.span == found.span)
        for leg in found.legs
    ]
    if not any(label.primary for label in labels):
        labels.append(Label(found.span, "", True))
    return labels


def _note(margin: int, title: str, words: str, colour: bool) -> str:
    sign = styled(" " * margin + " =", "gutter", colour)
    return f"{sign} {styled(title, 'help', colour)}: {printable(words)}"
