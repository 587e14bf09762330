"""`inplace-lint ops NAME`: what the rule table says of an op: what it saves, changes, returns."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from inplace_lint.cli.main import FOUND, FOUND_NOTHING, complain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from inplace_lint.opdb.load import Table
    from inplace_lint.opdb.model import Entry, OpRule, Returns

_PREFIXES = ("", "Tensor.", "torch.", "F.", "nn.", "optim.", "op:", "torch.linalg.", "init.")
_EXPRESSION = re.compile(r"^\w+\s*(?P<op>[-+*/%@&|^<>=!]+)\s*\w+$")
_RETURNS = {
    "new": "a new tensor",
    "is": "{} itself",
    "view": "a view of {}",
    "views": "several views of {}",
    "alias": "{} or something that shares its memory and counter",
    "raw": "something that shares the memory of {}, but not its counter",
}


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
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rows; exit 1 if there is none."""
    from inplace_lint.checks.suggest import did_you_mean
    from inplace_lint.opdb.load import read_table

    table = read_table()
    rows = find(table, arguments.name)
    if not rows:
        short = [re.sub(r"^\w+\.", "", name) for name in table.names()]
        near = did_you_mean(arguments.name, {*short, *table.names()})
        complain(f"the table does not know {arguments.name}{near}")
        return FOUND
    if arguments.format == "json":
        raw = [json.loads(table.line(rule.id)) for rule in rows]
        sys.stdout.write(json.dumps({"version": 1, "ops": raw}, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join("".join(f"{line}\n" for line in _words(r)) for r in rows))
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
    return list(rows.values())


def _words(rule: OpRule) -> Iterator[str]:
    yield f"{rule.id}  ({', '.join(rule.api)})"
    yield f"  saves    {_entries(rule.saves) or 'nothing'}"
    for title, entries in (
        ("clones", rule.clones),
        ("changes", rule.mut),
        ("changes, uncounted", rule.mut_silent),
    ):
        if entries:
            yield f"  {title:8} {_entries(entries)}"
    yield f"  returns  {' or '.join(map(_returned, rule.ret))}"


def _entries(entries: tuple[Entry, ...]) -> str:
    return "; ".join(map(_entry, entries))


def _entry(entry: Entry) -> str:
    words = _entity(entry.entity.base, entry.entity.name, entry.entity.index)
    if entry.needs:
        words += f" if {' or '.join(entry.needs)} requires grad"
    return words + (f" when {entry.when.text}" if entry.when else "")


def _entity(base: str, name: str, index: int) -> str:
    if base == "ret":
        return "its result" if index < 0 else f"its result {index}"
    return f"self.{name}" if base == "attr" else name


def _returned(returns: Returns) -> str:
    entity = returns.entity
    of = _entity(entity.base, entity.name, entity.index) if entity else ""
    return _RETURNS[returns.how].format(of) + (f" when {returns.when.text}" if returns.when else "")
