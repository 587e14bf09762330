"""The Python API: `inplace_lint.check_paths` and `inplace_lint.check_source`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inplace_lint.config.errors import ConfigError
from inplace_lint.config.finder import ConfigFinder
from inplace_lint.runner.run import Request, check

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inplace_lint.diagnostic import Diagnostic, ToolError

__all__ = ["Checked", "check_paths", "check_source"]


class Checked(NamedTuple):
    """What `check_paths` and `check_source` give, both sorted by place."""

    findings: tuple[Diagnostic, ...]
    errors: tuple[ToolError, ...]


def check_paths(
    paths: Sequence[str | os.PathLike[str]],
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    jobs: int = 0,
) -> Checked:
    """Lint files and folders as the command does, its configuration files included.

    `config` is a file that holds alone, `isolated` means no file is read, `jobs` is the number of
    worker processes (0: as many as there are cores). Raises FileNotFoundError for a path that does
    not exist and ValueError for a configuration that is wrong.
    """
    given = tuple(os.fspath(path) for path in paths)
    file = None if config is None else Path(config)
    return _check(given, file, isolated, jobs=jobs) if given else Checked((), ())


def check_source(
    text: str, filename: str | os.PathLike[str] = "<text>", *, isolated: bool = True
) -> Checked:
    """Lint a text as if it were the file `filename`, beside which its imports are looked up."""
    return _check((os.fspath(filename),), None, isolated, text=text)


def _check(
    paths: tuple[str, ...],
    config: Path | None,
    isolated: bool,
    *,
    text: str | None = None,
    jobs: int = 1,
) -> Checked:
    try:
        finder = ConfigFinder({}, config, isolated)
        outcome = check(Request(paths, finder.of, jobs=jobs, stdin=text))
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if outcome.missing:
        raise FileNotFoundError(outcome.missing[0])
    return Checked(outcome.run.findings, outcome.run.errors)
