"""The two files of the table, indexed by name at start; a row is parsed when first asked for.

A row of manual.jsonl takes the place of the generated row with the same id; extra rows of the user
(`load_extra`) take the place of both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.opdb.parse import RuleError, parse_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.opdb.model import OpRule

FILES = ("manual.jsonl", "generated.jsonl")
"""In falling precedence."""

_ID, _API = '{"id": "', '", "api": ["'
"""How each line of the shipped files begins: the index needs no JSON parser."""


class Table:
    """Rows by id and by API name."""

    __slots__ = ("_by_name", "_lines", "_rules")

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        self._rules: dict[str, OpRule] = {}

    def add_text(self, text: str) -> None:
        """Index the rows of a shipped file's text, except ids that are there already."""
        lines, by_name, skip = self._lines, self._by_name, len(_ID)
        for line in text.splitlines():
            end = line.index(_API)
            rule_id = line[skip:end]
            if rule_id in lines:
                continue
            lines[rule_id] = line
            first = end + len(_API)
            for name in line[first : line.index('"]', first)].split('", "'):
                by_name.setdefault(name, []).append(rule_id)

    def add_rule(self, rule: OpRule) -> None:
        """Put in one rule, in the place of what had its id."""
        if rule.id in self._lines or rule.id in self._rules:
            self._forget(rule.id)
        self._rules[rule.id] = rule
        for name in rule.api:
            self._by_name.setdefault(name, []).insert(0, rule.id)

    def _forget(self, rule_id: str) -> None:
        for ids in self._by_name.values():
            if rule_id in ids:
                ids.remove(rule_id)
        self._lines.pop(rule_id, None)
        self._rules.pop(rule_id, None)

    def rule(self, rule_id: str) -> OpRule | None:
        """The row with this id."""
        rule = self._rules.get(rule_id)
        if rule is None:
            line = self._lines.get(rule_id)
            if line is None:
                return None
            rule = self._rules[rule_id] = parse_row(json.loads(line))
        return rule

    def line(self, rule_id: str) -> str:
        """The row as it stands in its file, "" for a row that was added."""
        return self._lines.get(rule_id, "")

    def named(self, name: str) -> list[OpRule]:
        """The rows that an API name may mean, in the order of the files."""
        found = (self.rule(rule_id) for rule_id in self._by_name.get(name, ()))
        return [rule for rule in found if rule is not None]

    def names(self) -> list[str]:
        """All API names."""
        return [name for name, ids in self._by_name.items() if ids]

    def ids(self) -> list[str]:
        """All ids."""
        return sorted({*self._lines, *self._rules})


def folder() -> Path:
    """`inplace_lint/rules` in a wheel, `rules` beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def read_table(path: Path | None = None) -> Table:
    """Index the files of `path` (default: the shipped ones)."""
    base = path or folder()
    table = Table()
    for name in FILES:
        file = base / name
        if file.exists():
            table.add_text(file.read_text(encoding="utf-8"))
    return table


def raw_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their line numbers; blank lines are skipped."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except json.JSONDecodeError as error:
            raise RuleError(f"{path}:{number}: not JSON: {error.msg}") from error
        if not isinstance(raw, dict):
            raise RuleError(f"{path}:{number}: expected an object")
        yield number, raw


def load_extra(path: Path) -> list[OpRule]:
    """The rows of a user's file, all checked; raises RuleError with `file:line: word: why`."""
    rules = []
    for number, raw in raw_rows(path):
        try:
            rules.append(parse_row(raw))
        except RuleError as error:
            raise RuleError(f"{path}:{number}: {error}") from error
    return rules
