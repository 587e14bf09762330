"""Ignore comments: which there are in a text, what they silence, which silence nothing.

    y.add_(1)  # noqa                                  everything here
    y.add_(1)  # noqa: IPA101, E501                    codes or prefixes; other tools' are theirs
    y.add_(1)  # inplace-lint: ignore[IPA101] reason   ours, which no other tool deletes
    # inplace-lint: ignore[IPA101] reason              alone on a line: for the next statement
    # inplace-lint: ignore-file[IPA2] reason           alone on a line: for the whole file

A comment counts for a finding on the first line of its statement, on the reported line and on the
statement's last line, where formatters like to put it.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.checks.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.diagnostic import Diagnostic

LINE, NEXT, FILE = "line", "next", "file"

_NOQA = re.compile(
    r"#\s*noqa(?P<colon>\s*:\s*(?P<codes>[A-Z][0-9A-Z]*(?:[\s,]+[A-Z]+[0-9]+)*))?(?![\w:-])", re.I
)
_OURS = re.compile(r"#\s*inplace-lint\s*:\s*(?P<rest>.*)", re.I)
_FORM = re.compile(r"(?P<verb>ignore|ignore-file)(?:\[(?P<codes>[^\]]*)\])?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One ignore comment; without `codes` it is a blanket one. `ours`: not a noqa."""

    line: int
    column: int
    end_column: int
    scope: str
    codes: tuple[str, ...]
    ours: bool

    def covers(self, code: str) -> bool:
        """Whether it speaks of `code`."""
        return not self.codes or any(code.startswith(prefix) for prefix in self.codes)


@dataclass(slots=True)
class Ignores:
    """The ignore comments of one file. `malformed`: line, column, what is wrong."""

    comments: list[Ignore] = field(default_factory=list)
    malformed: list[tuple[int, int, str]] = field(default_factory=list)
    statements: list[tuple[int, int]] = field(default_factory=list)
    """First and last line of each simple statement or header, in order."""

    def of(self, finding: Diagnostic) -> list[Ignore]:
        """The comments that silence `finding`."""
        lines = self._lines_of(finding.span.line)
        first = lines[0]
        return [
            comment
            for comment in self.comments
            if comment.covers(finding.code)
            and (
                comment.scope == FILE
                or (comment.scope == LINE and comment.line in lines)
                or (comment.scope == NEXT and self._next(comment.line) == first)
            )
        ]

    def _lines_of(self, line: int) -> tuple[int, int, int]:
        for first, last in self.statements:
            if first <= line <= last:
                return first, line, last
        return line, line, line

    def _next(self, line: int) -> int:
        return next((first for first, _ in self.statements if first > line), 0)


def may_hold(text: str) -> bool:
    """Whether a text can hold an ignore comment at all."""
    return "inplace-lint" in text or "noqa" in text.lower()


def read_ignores(text: str) -> Ignores:
    """All ignore comments of a text."""
    found = Ignores()
    if not may_hold(text):
        return found
    for line, column, comment, alone in _comments(text, found.statements):
        _read_comment(found, line, column, comment, alone)
    return found


def statements(text: str) -> list[tuple[int, int]]:
    """First and last line of each simple statement or header of a text, in order."""
    found: list[tuple[int, int]] = []
    for _ in _comments(text, found):
        pass
    return found


def unused(ignores: Ignores, used: set[Ignore]) -> list[tuple[Ignore, str]]:
    """Comments of ours, and codes of ours in a noqa, that silenced nothing; with their words."""
    found = []
    for comment in ignores.comments:
        ours = [code for code in comment.codes if comment.ours or _known(code)]
        if comment not in used and ours:
            found.append((comment, f"nothing here is silenced by {', '.join(ours)}"))
    return found


def _read_comment(found: Ignores, line: int, column: int, comment: str, alone: bool) -> None:
    """Add what one comment says; our own form excludes a noqa in the same part."""
    if match := _OURS.search(comment):
        at, end = column + match.start(), column + len(comment)
        scope_or_wrong, codes = _our_form(match["rest"], alone)
        if scope_or_wrong in (LINE, NEXT, FILE):
            found.comments.append(Ignore(line, at, end, scope_or_wrong, codes, ours=True))
        else:
            found.malformed.append((line, at, scope_or_wrong))
        comment = comment[: match.start()]
    if match := _NOQA.search(comment):
        codes = tuple(code.upper() for code in _split(match["codes"] or ""))
        at, end = column + match.start(), column + match.end()
        found.comments.append(Ignore(line, at, end, LINE, codes, ours=False))


def _our_form(rest: str, alone: bool) -> tuple[str, tuple[str, ...]]:
    """The scope and codes of what follows `inplace-lint:`, or what is wrong with it."""
    match = _FORM.match(rest)
    if match is None:
        return "expected `ignore[CODE] reason` or `ignore-file[CODE] reason`", ()
    codes = tuple(code.upper() for code in _split(match["codes"] or ""))
    if strange := next((code for code in codes if not _known(code)), None):
        return f"unknown code {strange}", ()
    if match["verb"] == "ignore-file":
        return (FILE if alone else "ignore-file must stand on a line of its own"), codes
    if not codes:
        return "name the codes: `ignore[IPA101] reason`", ()
    return (NEXT if alone else LINE), codes


def _known(prefix: str) -> bool:
    return any(code.startswith(prefix) for code in registry())


def _split(codes: str) -> list[str]:
    return [code for code in re.split(r"[\s,]+", codes.strip()) if code]


def _comments(text: str, statements: list[tuple[int, int]]) -> Iterator[tuple[int, int, str, bool]]:
    """Line, 1-based column, text and "alone on its line" of each comment; fills `statements`."""
    first = reached = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            reached = token.end[0]
            if token.type == tokenize.COMMENT:
                line, column = token.start
                yield line, column + 1, token.string, not token.line[:column].strip()
            elif token.type == tokenize.NEWLINE:
                statements.append((first or token.start[0], token.start[0]))
                first = 0
            elif token.type not in _LAYOUT and not first:
                first = token.start[0]
    except (tokenize.TokenError, SyntaxError):
        yield from _plain_comments(text, reached)


_LAYOUT = frozenset(
    {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
)


def _plain_comments(text: str, after: int) -> Iterator[tuple[int, int, str, bool]]:
    """What looks like a comment, for the part of a text this Python can't tokenize."""
    lines = re.split(r"\r\n|\n|\r", text)
    for number, line in enumerate(lines[after:], after + 1):
        if (at := line.find("#")) >= 0:
            yield number, at + 1, line[at:], not line[:at].strip()
