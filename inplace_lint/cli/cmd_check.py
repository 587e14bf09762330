"""`inplace-lint check [PATHS]`: the linter itself."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from inplace_lint.cli import configuring, narrowing, output
from inplace_lint.cli.main import BROKEN, FOUND, FOUND_NOTHING, UsageError, complain
from inplace_lint.report import registry as formats

if TYPE_CHECKING:
    from inplace_lint.report.base import Report, Run


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand and its options."""
    parser = commands.add_parser(
        "check", help="lint files and folders", description="Lint files and folders."
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files, folders, or - for stdin (default: .)")
    add("--format", action="append", metavar="NAME[:FILE]", default=[], help=_format_help())
    add("-o", "--output-file", metavar="FILE", help="write the report there instead of stdout")
    add("--stdin-filename", metavar="FILE", help="what the text on stdin is called")
    add("-j", "--jobs", type=_count, default=0, metavar="N", help="worker processes (0: as cores)")
    add("--no-cache", action="store_true", help="neither read nor write the cache")
    add("--strict", action="store_true", help="exit 1 where the analysis is incomplete (IPA002)")
    add("--exit-zero", action="store_true", help="exit 0 although there are findings")
    add("--color", choices=("auto", "always", "never"), default="auto", help="colours in reports")
    add("-q", "--quiet", action="store_true", help="no summary line")
    add("--statistics", action="store_true", help="print how often each code was found")
    add("--no-progress", action="store_true", help="no progress bar on a terminal")
    add("--debug-coverage", action="store_true", help="print what the interpreter reached")
    add("--debug-unmet", action="store_true", help="and each place it did not reach, and why")
    configuring.add_options(parser)
    narrowing.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, print, and give the exit code."""
    from inplace_lint.config.errors import ConfigError
    from inplace_lint.runner.protocol import WorkerStartError
    from inplace_lint.runner.run import Request, check

    reports = _formats(arguments)
    finder = configuring.finder(arguments)
    paths, stdin = _input(arguments)
    try:
        with output.progress_bar(not (arguments.quiet or arguments.no_progress)) as progress:
            cached = not arguments.no_cache
            request = Request(paths, finder.of, arguments.jobs, stdin, cached, progress)
            surveyed = arguments.debug_coverage or arguments.debug_unmet
            outcome = check(replace(request, coverage=surveyed))
    except (WorkerStartError, ConfigError) as error:
        raise UsageError(str(error)) from None
    for path in outcome.missing:
        complain(f"no such file or folder: {path}")
    told, is_stale = narrowing.narrow(arguments, outcome)
    for report, target in reports:
        output.emit(report, target, told, arguments.quiet, arguments.color)
    if arguments.statistics:
        output.statistics(told)
    output.tell_errors(told, any(report.for_people for report, _ in reports))
    if surveyed:
        output.coverage(outcome, arguments.debug_unmet)
    return BROKEN if outcome.missing else _exit_code(arguments, told, is_stale)


def _exit_code(arguments: argparse.Namespace, run: Run, is_stale: bool) -> int:
    codes = {error.code for error in run.errors}
    bad = bool(run.findings) or "IPA001" in codes or is_stale
    bad = bad or (arguments.strict and "IPA002" in codes)
    return FOUND if bad and not arguments.exit_zero else FOUND_NOTHING


def _format_help() -> str:
    return f"{', '.join(formats.names())} (default: full); more than once with files"


def _formats(arguments: argparse.Namespace) -> list[tuple[Report, str | None]]:
    """The wanted formats, each with the file it goes to (None: stdout)."""
    from inplace_lint.checks.suggest import did_you_mean

    wanted = []
    for given in arguments.format or ["full"]:
        name, _, target = given.partition(":")
        if name not in formats.names():
            raise UsageError(f"unknown format {name!r}{did_you_mean(name, formats.names())}")
        wanted.append((formats.find(name), target or arguments.output_file))
    outputs = [target for _, target in wanted]
    if len(set(outputs)) < len(outputs):
        raise UsageError("several formats need a file each: --format sarif:out.sarif")
    return wanted


def _input(arguments: argparse.Namespace) -> tuple[tuple[str, ...], bytes | None]:
    """The paths to check, and what comes by stdin."""
    paths = tuple(arguments.paths) or (".",)
    if "-" not in paths:
        return paths, None
    if len(paths) > 1:
        raise UsageError("- (stdin) can't be given together with other paths")
    return (arguments.stdin_filename or "<stdin>",), sys.stdin.buffer.read()


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number
