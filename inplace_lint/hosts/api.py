"""The functions behind `inplace_lint.check_paths` and `inplace_lint.check_source`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint import Checked
from inplace_lint.config.errors import ConfigError
from inplace_lint.config.finder import ConfigFinder
from inplace_lint.runner.run import Request, check

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_paths(
    paths: Sequence[str | os.PathLike[str]],
    *,
    config: str | os.PathLike[str] | None,
    isolated: bool,
    jobs: int,
) -> Checked:
    """See `inplace_lint.check_paths`."""
    given = tuple(os.fspath(path) for path in paths)
    file = None if config is None else Path(config)
    return _check(given, file, isolated, jobs=jobs) if given else Checked((), ())


def check_source(text: str, filename: str | os.PathLike[str], *, isolated: bool) -> Checked:
    """See `inplace_lint.check_source`."""
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
