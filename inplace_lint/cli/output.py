"""Where reports go: stdout or files, the summary, statistics, errors on stderr, a progress bar."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING

from inplace_lint.cli.main import UsageError
from inplace_lint.report.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.report.base import Report, Run
    from inplace_lint.runner.run import Outcome

_KNOWN = (
    "met with a tensor",
    "met with something else",
    "on what a function has just made, by syntax",
)
_PATIENCE = 2.0
"""Seconds a run may take before a progress bar appears."""


def emit(report: Report, target: str | None, run: Run, quiet: bool, colour: str) -> None:
    """Print one report, or write it to the file `target`."""
    if target is None:
        sys.stdout.write(report.render(run, wants_colour(sys.stdout, colour)))
        if report.for_people and not quiet:
            sys.stdout.write(summary(run))
    else:
        _write(Path(target), report.render(run, False), "w")
    if report.aside is not None and (beside := os.environ.get(report.aside[0])):
        _write(Path(beside), report.aside[1](run), "a")


def summary(run: Run) -> str:
    """The line under a report for people."""
    unparsable = sum(error.code == "IPA001" for error in run.errors)
    found = len(run.findings)
    files = _number(run.checked, "file")
    if not found and not unparsable:
        return f"Nothing found in {files}.\n"
    also = f" and {_number(unparsable, 'unparsable file')}" if unparsable else ""
    return f"Found {_number(found, 'hazard')}{also} in {files}.\n"


def statistics(run: Run) -> None:
    """How often each code was found, the most frequent first; on stderr."""
    counts = Counter((found.code, found.name) for found in run.findings)
    for (code, name), number in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        sys.stderr.write(f"{number:6} {code} {name}\n")


def coverage(outcome: Outcome, listed: bool) -> None:
    """What was executed, and with `listed` each mutation site that was not; on stderr."""
    figures = outcome.coverage
    for name, number in figures.items():
        sys.stderr.write(f"{name}: {number}\n")
    can = figures.get("mutation sites", 0) - figures.get("mutation sites on no tensor by syntax", 0)
    known = sum(figures.get(f"mutation sites {what}", 0) for what in _KNOWN)
    if can:
        sys.stderr.write(f"mutation sites of which it is known what: {known / can:.1%} of {can}\n")
    for line in outcome.unmet if listed else ():
        sys.stderr.write(printable(line) + "\n")


def tell_errors(run: Run, printed: bool) -> None:
    """Tool errors on stderr; IPA001 only where no report for people has shown it."""
    for error in run.errors:
        if error.code != "IPA001" or not printed:
            place = f"{error.path}:{error.line}:{error.column}"
            sys.stderr.write(printable(f"{place}: {error.code} {error.message}") + "\n")


def wants_colour(stream: IO[str], choice: str) -> bool:
    """`choice` decides, else NO_COLOR and FORCE_COLOR, else whether the stream can show them."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def progress_bar(wanted: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that draws a bar on stderr once a run takes long; None where nobody sees it."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)
    start = time.monotonic()

    def progress(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - start > _PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield progress
    finally:
        bar.stop()


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _write(path: Path, text: str, mode: str) -> None:
    try:
        with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
