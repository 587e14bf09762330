"""What is left of a run's findings: new against a baseline, or touched by a change."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.cli.main import UsageError
from inplace_lint.report.terminal import printable

if TYPE_CHECKING:
    import argparse

    from inplace_lint.report.base import Run
    from inplace_lint.runner.run import Outcome


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--baseline", metavar="FILE", help="tell only findings this file does not hold")
    add("--update-baseline", action="store_true", help="write the present findings into it")
    add("--prune-baseline", action="store_true", help="take entries out that no finding needs")
    add("--fail-stale", action="store_true", help="exit 1 if the baseline has such entries")
    add("--diff-base", metavar="REV", help="tell only what lines changed since REV bring about")
    add("--add-ignore", action="store_true", help="write an ignore comment behind each finding")
    add("--reason", metavar="TEXT", default="", help="the reason --add-ignore writes")


def narrow(arguments: argparse.Namespace, outcome: Outcome) -> tuple[Run, bool]:
    """The run as it is to be reported, and whether the baseline is stale where that counts."""
    run, is_stale = outcome.run, False
    if arguments.baseline:
        run, is_stale = _against_baseline(arguments, outcome)
    elif arguments.update_baseline or arguments.prune_baseline or arguments.fail_stale:
        raise UsageError("this option needs --baseline FILE")
    if arguments.diff_base is not None:
        run = _changed_since(run, arguments.diff_base)
    if arguments.add_ignore:
        run = _ignored(run, arguments.reason)
    return run, is_stale


def _against_baseline(arguments: argparse.Namespace, outcome: Outcome) -> tuple[Run, bool]:
    from inplace_lint.runner import baseline

    run, path = outcome.run, Path(arguments.baseline)
    try:
        if arguments.update_baseline:
            known = baseline.load(path) if path.exists() else baseline.Baseline()
            old = baseline.stale(run, known, path, outcome.checked)
            baseline.save(path, (known - old) | baseline.of_run(run, path))
            sys.stderr.write(
                f"{printable(str(path))} holds the present {len(run.findings)} findings\n"
            )
            return replace(run, findings=()), False
        known = baseline.load(path)
        old = baseline.stale(run, known, path, outcome.checked)
        if old and arguments.prune_baseline:
            baseline.save(path, known - old)
            old = baseline.Baseline()
    except baseline.BaselineError as error:
        raise UsageError(str(error)) from None
    for entry in sorted(old) if arguments.fail_stale else ():
        words = f"stale baseline entry: {entry.path}: {entry.code} in {entry.symbol or 'module'}"
        sys.stderr.write(printable(f"{words}: {entry.text}") + "\n")
    new = baseline.unaccepted(run, known, path)
    return replace(run, findings=new), bool(old) and arguments.fail_stale


def _changed_since(run: Run, revision: str) -> Run:
    from inplace_lint.runner import changes

    try:
        changed = changes.since(revision)
    except changes.GitError as error:
        raise UsageError(f"--diff-base: {error}") from None
    kept = tuple(found for found in run.findings if changes.touches(found, changed))
    return replace(run, findings=kept)


def _ignored(run: Run, reason: str) -> Run:
    from inplace_lint.runner.annotate import add_ignores

    changed, left = add_ignores(run.findings, " ".join(reason.split()))
    sys.stderr.write(f"wrote ignore comments on {changed} line{'' if changed == 1 else 's'}\n")
    for path in left:
        sys.stderr.write(f"no ignore comment could be written in {printable(path)}\n")
    return replace(run, findings=tuple(f for f in run.findings if f.span.path in left))
