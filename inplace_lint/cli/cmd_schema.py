"""`inplace-lint schema`: the JSON schemas of the configuration and of the JSON report."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from inplace_lint.cli.main import FOUND_NOTHING

if TYPE_CHECKING:
    import argparse


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand and its options."""
    parser = commands.add_parser(
        "schema", help="print a JSON schema", description="Print a JSON schema."
    )
    parser.add_argument("of", choices=("config", "findings"), help="of what")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from inplace_lint.config.schema import config_schema
    from inplace_lint.report.registry import findings_schema

    schema = config_schema() if arguments.of == "config" else findings_schema()
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")
    return FOUND_NOTHING
