"""Baselines: findings that are known and accepted, kept in a file beside the code.

An entry is path, code, enclosing function and the text of the line, so that it survives lines that
move and dies with the line it speaks of. Equal entries are counted.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.diagnostic import split_cell
from inplace_lint.report.keys import line_text
from inplace_lint.source.decode import is_file

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from inplace_lint.diagnostic import Diagnostic, Span
    from inplace_lint.report.base import Run

_DEFINITION = re.compile(r"^(?P<indent>\s*)(?:async\s+)?(?:def|class)\s+(?P<name>\w+)")


class BaselineError(Exception):
    """A baseline file that can't be read."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One accepted finding; `path` is relative to the baseline file."""

    path: str
    code: str
    symbol: str
    text: str


Baseline = Counter[Entry]


def load(path: Path) -> Baseline:
    """Read a baseline file."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        if whole["version"] != 1:
            raise ValueError("another version")
        rows: list[dict[str, Any]] = whole["entries"]
        return Counter({_entry(row): int(row.get("count", 1)) for row in rows})
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        words = f"{path}:{error.lineno}:{error.colno}: no JSON: {error.msg}"
        raise BaselineError(words) from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise BaselineError(f"{path}: not a baseline of version 1") from None


def save(path: Path, baseline: Baseline) -> None:
    """Write a baseline file, sorted; equal baselines are equal bytes."""
    rows = [{**asdict(entry), "count": count} for entry, count in sorted(baseline.items())]
    text = json.dumps({"version": 1, "entries": rows}, indent=1)
    try:
        path.write_text(text + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}") from None


def of_run(run: Run, path: Path) -> Baseline:
    """The baseline that accepts every finding of a run."""
    return Counter(entry_of(run, found, path) for found in run.findings)


def entry_of(run: Run, found: Diagnostic, path: Path) -> Entry:
    """The entry that accepts a finding in the baseline file `path`."""
    file = _relative(split_cell(found.span.path)[0], path)
    return Entry(file, found.code, _symbol(run, found.span), line_text(run, found.span))


def unaccepted(run: Run, baseline: Baseline, path: Path) -> tuple[Diagnostic, ...]:
    """The findings a baseline does not accept."""
    left = Counter(baseline)
    new = []
    for found in run.findings:
        entry = entry_of(run, found, path)
        if left[entry] > 0:
            left[entry] -= 1
        else:
            new.append(found)
    return tuple(new)


def stale(run: Run, baseline: Baseline, path: Path, checked: Collection[str]) -> Baseline:
    """Entries no finding answers to, of files that were checked or are gone."""
    left = baseline - of_run(run, path)
    files = {_relative(shown, path) for shown in checked}
    folder = path.absolute().parent
    return Counter(
        {
            entry: count
            for entry, count in left.items()
            if entry.path in files or not is_file(folder / entry.path)
        }
    )


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(*(str(row[name]) for name in ("path", "code", "symbol", "text")))


def _relative(shown: str, path: Path) -> str:
    try:
        return Path(os.path.relpath(shown, path.absolute().parent)).as_posix()
    except ValueError:  # another drive
        return shown


def _symbol(run: Run, span: Span) -> str:
    """The dotted name of the functions and classes a line stands in, told by the indents."""
    lines: Sequence[str] = run.lines_of(span.path) or ()
    names: list[str] = []
    limit = len(_indent(lines[span.line - 1])) if 0 < span.line <= len(lines) else 0
    for line in reversed(lines[: max(0, span.line - 1)]):
        found = _DEFINITION.match(line)
        if found and len(found["indent"]) < limit:
            names.append(found["name"])
            limit = len(found["indent"])
    return ".".join(reversed(names))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
