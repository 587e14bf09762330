"""`inplace-lint ops NAME`: what the rule table says of an op: what it saves, changes, returns."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from inplace_lint.cli.main import FOUND, FOUND_NOTHING, complain

if TYPE_CHECKING:
    import argparse

    from inplace_lint.opdb.load import Table
    from inplace_lint.opdb.model import OpRule

_PREFIXES = ("", "Tensor.", "torch.", "F.", "nn.", "optim.", "op:", "torch.linalg.", "init.")
_EXPRESSION = re.compile(r"^\w+\s*(?P<op>[-+*/%@&|^<>=!]+)\s*\w+$")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand and its options."""
    parser = commands.add_parser(
        "ops",
        help="tell what ops save, change and return",
        description="Print rows of the rule table: what an op saves for backward, what it changes.",
    )
    parser.add_argument(
        "name", nargs="?", help="exp, F.relu, nn.Linear, 'x *= y', mul.Tensor (default: all)"
    )
    parser.add_argument(
        "--saves",
        choices=("result", "operand", "parameter", "nothing"),
        help="only ops that save this",
    )
    parser.add_argument("--mutates", action="store_true", help="only ops that write an argument")
    parser.add_argument("--views", action="store_true", help="only ops whose result may alias")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rows; exit 1 if there is none."""
    from inplace_lint.opdb.describe import describe
    from inplace_lint.opdb.load import read_table

    table = read_table()
    rows = _narrowed(table, find(table, arguments.name), arguments)
    if not rows:
        complain(_unknown(table, arguments.name))
        return FOUND
    if arguments.format == "json":
        raw = [json.loads(table.line(rule.id)) for rule in rows]
        sys.stdout.write(json.dumps({"version": 1, "ops": raw}, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(describe(table, rule) for rule in rows))
    return FOUND_NOTHING


def find(table: Table, wanted: str | None) -> list[OpRule]:
    """The rows that a name, an id or an expression such as `x *= y` may mean; all without one."""
    if wanted is None:
        found = (table.rule(rule_id) for rule_id in table.ids())
        return [rule for rule in found if rule is not None]
    if rule := table.rule(wanted):
        return [rule]
    if match := _EXPRESSION.match(wanted.strip()):
        return table.named(f"op:{match['op']}")
    from inplace_lint.opdb.resolve import canonical

    name = canonical(wanted.removesuffix("()"))
    rows = {rule.id: rule for prefix in _PREFIXES for rule in table.named(prefix + name)}
    return list(rows.values()) or _searched(table, wanted)


def _searched(table: Table, wanted: str) -> list[OpRule]:
    """Rows that hold all of several words; one word alone is a name, known or not."""
    from inplace_lint.opdb.describe import search

    return search(table, wanted) if len(wanted.split()) > 1 else []


def _narrowed(table: Table, rows: list[OpRule], arguments: argparse.Namespace) -> list[OpRule]:
    """The rows that the options leave."""
    from inplace_lint.opdb import describe

    kept = []
    if arguments.saves:
        kept.append(describe.saving(table, arguments.saves))
    if arguments.mutates:
        kept.append(describe.mutating(table))
    if arguments.views:
        kept.append(describe.viewing(table))
    left = [{rule.id for rule in wanted} for wanted in kept]
    return [rule for rule in rows if all(rule.id in ids for ids in left)]


def _unknown(table: Table, name: str | None) -> str:
    """What is said where nothing is found."""
    from inplace_lint.checks.suggest import did_you_mean

    if name is None:
        return "no row of the table is like that"
    short = [re.sub(r"^\w+\.", "", known) for known in table.names()]
    return f"the table does not know {name}{did_you_mean(name, {*short, *table.names()})}"
