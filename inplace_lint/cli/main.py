"""`inplace-lint`: the parser and the way to the subcommands.

Exit codes: 0 nothing found, 1 findings, 2 wrong usage or configuration, or the tool broke.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from typing import TYPE_CHECKING

from inplace_lint import __version__, cli

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOUND_NOTHING, FOUND, BROKEN = 0, 1, 2
_INTERRUPTED = 130


class UsageError(Exception):
    """Something the user has to mend; its text is printed as it is."""


def build_parser() -> argparse.ArgumentParser:
    """The parser; each module of this package that has an `add_parser` adds its subcommand."""
    parser = argparse.ArgumentParser(
        prog="inplace-lint",
        description="Finds in-place mutations that break PyTorch's autograd.",
        epilog="exit codes: 0 nothing found, 1 findings, 2 usage, configuration or internal error",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for info in pkgutil.iter_modules(cli.__path__):
        if info.name.startswith("cmd_"):
            importlib.import_module(f"{cli.__name__}.{info.name}").add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every way out is an exit code, never a traceback."""
    arguments = build_parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        complain(str(error))
        return BROKEN
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN


def complain(words: str) -> None:
    """A line on stderr."""
    print(f"inplace-lint: {words}", file=sys.stderr)  # noqa: T201
