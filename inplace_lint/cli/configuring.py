"""From parsed arguments to the configuration: shared by the subcommands that need one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.cli.main import UsageError
from inplace_lint.config.options import CONFIDENCES

if TYPE_CHECKING:
    import argparse

    from inplace_lint.config.finder import ConfigFinder

_CODES = ("select", "ignore", "extend_select")
_GLOBS = ("exclude", "extend_exclude")
_PLAIN = ("confidence", "force_exclude", "target_torch")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what overrides configuration files."""
    add = parser.add_argument
    add("--confidence", choices=CONFIDENCES, help="the least to show")
    add("--select", metavar="CODES", help="codes or prefixes that are on, comma-separated")
    add("--ignore", metavar="CODES", help="codes or prefixes that are off")
    add("--extend-select", metavar="CODES", help="codes or prefixes that are on besides")
    add("--exclude", metavar="GLOBS", help="not to enter, in place of the default list")
    add("--extend-exclude", metavar="GLOBS", help="not to enter, besides")
    add("--force-exclude", action="store_true", default=None, help="exclude named files, too")
    add("--target-torch", metavar="VERSION", help="the PyTorch version the code runs on")
    add("--config", metavar="FILE", help="take the configuration from this file alone")
    add("--isolated", action="store_true", help="read no configuration file")


def finder(arguments: argparse.Namespace) -> ConfigFinder:
    """The configuration of every path, with the command line's values over the files'."""
    from inplace_lint.config.errors import ConfigError
    from inplace_lint.config.finder import ConfigFinder

    file = Path(arguments.config) if arguments.config else None
    if file is not None and arguments.isolated:
        raise UsageError("--config and --isolated exclude each other")
    try:
        return ConfigFinder(_given(arguments), file, arguments.isolated)
    except ConfigError as error:
        raise UsageError(str(error)) from None


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name in _CODES:
        if (value := getattr(arguments, name)) is not None:
            given[name] = _codes(name, value)
    for name in _GLOBS:
        if (value := getattr(arguments, name)) is not None:
            given[name] = tuple(filter(None, value.split(",")))
    for name in _PLAIN:
        if (value := getattr(arguments, name)) is not None:
            given[name] = value
    return given


def _codes(name: str, given: str) -> tuple[str, ...]:
    from inplace_lint.config.load import check_code

    def wrong(words: str) -> UsageError:
        return UsageError(f"--{name.replace('_', '-')}: {words}")

    codes = tuple(code.strip().upper() for code in given.split(",") if code.strip())
    for code in codes:
        check_code(code, wrong)
    return codes
