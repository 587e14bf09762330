"""Draws source lines with labelled spans under them, as rustc and ruff do.

      |
    3 | y = x.exp()
      |     ------- saved here: exp() saves its result
    4 | y.add_(10)
      | ^^^^^^^^^^ changed here: add_() changes it in place
      |

Lines that hold no label are left out; `...` marks a gap of more than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.report.terminal import printable, styled, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inplace_lint.diagnostic import Span

_TAB = "    "
_WIDEST = 140
_CONTEXT = 30


@dataclass(frozen=True, slots=True)
class Label:
    """Words under a span; the primary one stands where the finding stands."""

    span: Span
    words: str
    primary: bool


@dataclass(frozen=True, slots=True)
class Canvas:
    """The lines of one file, the width of the line numbers, and whether colours are on."""

    lines: Sequence[str]
    margin: int
    colour: bool

    def row(self, number: str, sign: str = "|") -> str:
        """The gutter of a row."""
        return styled(f"{number:>{self.margin}} {sign}", "gutter", self.colour)


def draw(canvas: Canvas, labels: Sequence[Label]) -> Iterator[str]:
    """The rows of the excerpt that shows `labels`, all of one file."""
    yield canvas.row("")
    previous = 0
    for number in sorted({label.span.line for label in labels}):
        if not 1 <= number <= len(canvas.lines):
            continue
        if previous and number == previous + 2:
            text = printable(canvas.lines[previous].replace("\t", _TAB))[:_WIDEST]
            yield f"{canvas.row(str(previous + 1))} {text}".rstrip()
        elif previous and number > previous + 2:
            yield styled("...", "gutter", canvas.colour)
        here = sorted((x for x in labels if x.span.line == number), key=lambda x: x.span)
        yield from _line(canvas, number, here)
        previous = number
    yield canvas.row("")


def _line(canvas: Canvas, number: int, labels: Sequence[Label]) -> Iterator[str]:
    source = canvas.lines[number - 1].rstrip("\r\n\x0c")
    left, right = _window(source, labels)
    shown = _display(source[left:right])
    before, after = ("…" if left else ""), ("…" if right < len(source) else "")
    yield f"{canvas.row(str(number))} {before}{shown}{after}".rstrip()
    for label in labels:
        start = max(label.span.column - 1, left)
        several = label.span.end_line > number
        end = len(source) if several else label.span.end_column - 1
        end = min(max(end, start), right)
        indent = width(before + _display(source[left:start]))
        length = max(1, width(_display(source[start:end])))
        sign = "^" if label.primary else "-"
        style = "primary" if label.primary else "secondary"
        words = sign * length + ("..." if several else "") + f" {printable(label.words)}"
        yield f"{canvas.row('')} {' ' * indent}{styled(words, style, canvas.colour)}"


def _display(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _window(source: str, labels: Sequence[Label]) -> tuple[int, int]:
    """The part of a very long line that is shown: around the first label."""
    if len(source) <= _WIDEST:
        return 0, len(source)
    left = max(0, labels[0].span.column - 1 - _CONTEXT)
    return left, min(len(source), left + _WIDEST)
