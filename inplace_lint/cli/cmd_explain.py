"""`inplace-lint explain CODE`: the page of a check."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from inplace_lint.cli.main import FOUND_NOTHING, UsageError

if TYPE_CHECKING:
    import argparse

    from inplace_lint.checks.base import Check


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand and its options."""
    parser = commands.add_parser(
        "explain", help="explain a code", description="Print the page of a code, or of all."
    )
    parser.add_argument("codes", nargs="*", metavar="CODE", help="a code or a name (default: list)")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the pages."""
    from inplace_lint.checks.registry import registry

    checks = [_find(code) for code in arguments.codes] or list(registry().values())
    if arguments.format == "json":
        text = json.dumps({"version": 1, "codes": [_row(check) for check in checks]}, indent=2)
    elif arguments.codes or arguments.format == "markdown":
        from inplace_lint.checks.pages import markdown

        text = "\n".join(markdown(check) for check in checks)
    else:
        text = "\n".join(f"{check.code} {check.name:28} {check.summary}" for check in checks)
    sys.stdout.write(text.rstrip("\n") + "\n")
    return FOUND_NOTHING


def _find(wanted: str) -> Check:
    from inplace_lint.checks.registry import registry
    from inplace_lint.checks.suggest import did_you_mean

    checks = registry()
    named = {check.name: check for check in checks.values()}
    check = checks.get(wanted.upper()) or named.get(wanted.lower())
    if check is None:
        near = did_you_mean(wanted.upper(), checks) or did_you_mean(wanted.lower(), named)
        raise UsageError(f"unknown code {wanted}{near}")
    return check


def _row(check: Check) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "code": check.code,
        "name": check.name,
        "kind": check.kind or None,
        "summary": check.summary,
        "opt_in": check.opt_in,
        **asdict(check.page),
    }
