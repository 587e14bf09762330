"""`inplace-lint config`: which values hold for a file, and where each comes from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.cli import configuring
from inplace_lint.cli.main import FOUND_NOTHING, UsageError

if TYPE_CHECKING:
    import argparse

    from inplace_lint.config.options import Config


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand and its options."""
    parser = commands.add_parser(
        "config",
        help="show the configuration in force",
        description="Show each value in force for a file and where it comes from.",
    )
    parser.add_argument("--show", metavar="FILE", default=".", help="for this file (default: .)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    configuring.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the values."""
    from inplace_lint.config.errors import ConfigError

    try:
        config = configuring.finder(arguments).of(arguments.show)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    rows = _rows(config)
    if arguments.format == "json":
        named = {name: {"value": value, "origin": origin} for name, value, origin in rows}
        sys.stdout.write(json.dumps({"version": 1, "options": named}, indent=2) + "\n")
    else:
        for name, value, origin in rows:
            sys.stdout.write(f"{name} = {json.dumps(value)}  # {origin}\n")
    return FOUND_NOTHING


def _rows(config: Config) -> list[tuple[str, Any, str]]:
    from inplace_lint.config.finder import DEFAULT
    from inplace_lint.config.options import OPTIONS

    return [
        (
            option.name,
            _plain(getattr(config, option.attribute)),
            config.origins.get(option.name, DEFAULT),
        )
        for option in OPTIONS
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value.as_posix() if isinstance(value, Path) else value
