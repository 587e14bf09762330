"""inplace-lint: finds in-place mutations that break PyTorch's autograd, without running the code.

import inplace_lint

for finding in inplace_lint.check_paths(["src"]).findings:
    print(finding.span.path, finding.span.line, finding.code, finding.message)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from inplace_lint.diagnostic import Diagnostic, ToolError

__all__ = ["Checked", "__version__", "check_paths", "check_source"]

__version__ = "0.1.0"


class Checked(NamedTuple):
    """What `check_paths` and `check_source` give, both sorted by place."""

    findings: tuple[Diagnostic, ...]
    errors: tuple[ToolError, ...]


def check_paths(
    paths: Sequence[str | PathLike[str]],
    *,
    config: str | PathLike[str] | None = None,
    isolated: bool = False,
    jobs: int = 0,
) -> Checked:
    """Lint files and folders as the command does, its configuration files included.

    `config` is a file that holds alone, `isolated` means no file is read, `jobs` is the number of
    worker processes (0: as many as there are cores). Raises FileNotFoundError for a path that does
    not exist and ValueError for a configuration that is wrong.
    """
    checked: Checked = import_module("inplace_lint.hosts.api").check_paths(
        paths, config=config, isolated=isolated, jobs=jobs
    )
    return checked


def check_source(
    text: str, filename: str | PathLike[str] = "<text>", *, isolated: bool = True
) -> Checked:
    """Lint a text as if it were the file `filename`, beside which its imports are looked up."""
    checked: Checked = import_module("inplace_lint.hosts.api").check_source(
        text, filename, isolated=isolated
    )
    return checked
