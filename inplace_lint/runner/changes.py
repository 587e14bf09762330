"""Which lines git says have changed since a revision, for `--diff-base`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.diagnostic import split_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.diagnostic import Diagnostic, Span

_HUNK = re.compile(r"^@@ -\S+ \+(?P<start>\d+)(?:,(?P<count>\d+))? @@")
_ESCAPE = re.compile(r"\\(?:(?P<octal>[0-7]{3})|(?P<sign>.))")
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_EVERY_LINE = range(1, 1 << 60)


class GitError(Exception):
    """git could not say what changed."""


Changes = dict[str, list[range]]
"""Absolute path to the ranges of its lines that are new."""


def since(revision: str) -> Changes:
    """What changed in the working tree since `revision`; files git does not know are all new."""
    if revision.startswith("-"):
        raise GitError(f"not a revision: {revision}")
    top = Path(_git("rev-parse", "--show-toplevel").rstrip("\n"))
    options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-renames", "--no-prefix")
    changes = _parse(_git("diff", *options, revision, "--", cwd=top), top)
    listed = _git("ls-files", "--others", "--exclude-standard", "-z", cwd=top)
    for name in filter(None, listed.split("\0")):
        changes[str(top / name)] = [_EVERY_LINE]
    return changes


def touches(found: Diagnostic, changes: Changes) -> bool:
    """Whether a finding stands on, or is caused by, changed lines: the span of any leg counts."""
    return any(_touched(span, changes) for span in (found.span, *(leg.span for leg in found.legs)))


def _touched(span: Span, changes: Changes) -> bool:
    file, cell = split_cell(span.path)
    ranges = changes.get(str(Path(file).resolve())) or changes.get(str(Path(file).absolute())) or []
    if cell is not None:  # git counts the lines of the notebook's JSON
        return bool(ranges)
    return any(lines.start <= span.end_line and span.line < lines.stop for lines in ranges)


def _git(*arguments: str, cwd: Path | None = None) -> str:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(words[0] if words else f"git {arguments[0]} failed")
    return done.stdout.decode(errors="surrogateescape")


def _parse(diff: str, top: Path) -> Changes:
    changes: Changes = {}
    current: list[range] = []
    for line in diff.split("\n"):
        if line.startswith("+++ "):
            current = changes.setdefault(str(top / _unquoted(line[4:].rstrip("\t\r"))), [])
        elif found := _HUNK.match(line):
            current.extend(_lines(found))
    return changes


def _lines(hunk: re.Match[str]) -> Iterator[range]:
    """The new lines of a hunk; where lines were only taken away, the two around the gap."""
    start, count = int(hunk["start"]), int(hunk["count"] or 1)
    yield range(start, start + count) if count else range(start, start + 2)


def _unquoted(name: str) -> str:
    if not (name.startswith('"') and name.endswith('"')):
        return name

    def plain(found: re.Match[str]) -> str:
        if found["octal"]:
            return chr(int(found["octal"], 8))
        return _SIGNS.get(found["sign"], found["sign"])

    return _ESCAPE.sub(plain, name[1:-1])
