"""`inplace-lint`: the parser and the way to the subcommands.

Exit codes: 0 nothing found, 1 findings, 2 wrong usage or configuration, or the tool broke.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from inplace_lint import __version__, cli
from inplace_lint.report.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOUND_NOTHING, FOUND, BROKEN = 0, 1, 2
_INTERRUPTED = 130


class UsageError(Exception):
    """Something the user has to mend; its text is printed as it is."""


class _Parser(argparse.ArgumentParser):
    """Quotes what it complains of so that a terminal can show it."""

    def error(self, message: str) -> NoReturn:
        """Usage and message on stderr, exit code 2."""
        super().error(printable(message))


def build_parser() -> argparse.ArgumentParser:
    """The parser; each module of this package that has an `add_parser` adds its subcommand."""
    parser = _Parser(
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
    _open_streams()
    arguments = build_parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        _stand_somewhere()
        code = run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except UsageError as error:
        complain(str(error))
    except BrokenPipeError:
        _write_no_more()
    except OSError as error:
        _write_no_more()
        complain(f"{error.filename or 'cannot write'}: {error.strerror}")
    except Exception as error:
        from inplace_lint.runner.crash import crash_words

        complain(crash_words(error))
    return BROKEN


def complain(words: str) -> None:
    """A line on stderr, if that can be written to."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"inplace-lint: {printable(words)}\n")
        sys.stderr.flush()


def _open_streams() -> None:
    """Whatever comes must be printable, also where a stream is closed or knows few characters."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  # as long as we live
        elif hasattr(stream, "reconfigure") and name != "stdin":
            stream.reconfigure(errors="backslashreplace")


def _stand_somewhere() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError(f"the working folder: {error.strerror}") from None


def _write_no_more() -> None:
    """What is left in the buffer of a stdout that takes nothing must not be tried again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
