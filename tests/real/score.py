"""Lints both sides of a commit and compares with what is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from inplace_lint import harness, lower
from inplace_lint.checks.wording import collect
from inplace_lint.diagnostic import Diagnostic
from inplace_lint.runner.engine import text_of
from inplace_lint.runner.project import DiskProject
from inplace_lint.source import read_source
from tests.real.rows import Row

LAST = Path(__file__).with_name("last_run.json")


@dataclass(frozen=True, slots=True)
class Scored:
    """What the linter said of one row."""

    row: Row
    found: bool
    false: tuple[Diagnostic, ...]  # findings in the file that has no bug
    seen: tuple[Diagnostic, ...]

    @property
    def line(self) -> str:
        """The row's line of the report."""
        verdict = ("found" if self.found else "MISSED") if self.row.is_bug else "no bug"
        said = "; ".join(f"{_brief(finding)}" for finding in self.seen[:4])
        false = "".join(f"\n    FALSE {_brief(finding)}" for finding in self.false)
        return f"{verdict:7}{self.row.slug} {self.row.kind} {self.row.visible}: {said}{false}"


def score(row: Row, out: Path) -> Scored:
    """Lint the file before and after the commit, imports followed within each tree."""
    before = _lint(out / row.slug / "before", row.path)
    after = _lint(out / row.slug / "after", row.path)
    found = any(_meets(finding, row.mutation_lines) for finding in before)
    left = tuple(finding for finding in after if not _meets(finding, row.left_lines))
    false = left if row.is_bug else (*before, *left)
    return Scored(row, found, false, before)


def totals(scored: Iterable[Scored]) -> dict[str, int]:
    """Bugs and how many are found, rows and how many have a finding where there is no bug."""
    scored = list(scored)
    bugs = [one for one in scored if one.row.is_bug]
    return {
        "bugs": len(bugs),
        "found": sum(one.found for one in bugs),
        "rows": len(scored),
        "false": sum(bool(one.false) for one in scored),
    }


def summary() -> dict[str, int]:
    """The totals of the last full run."""
    found: dict[str, int] = json.loads(LAST.read_text(encoding="utf-8"))
    return found


def _lint(tree: Path, path: str) -> tuple[Diagnostic, ...]:
    # A package laid out under src/ is imported by its bare name.
    project = DiskProject([str(tree), str(tree / "src")], {})
    file = read_source(tree / path, path)
    project.add(tree / path, file)
    stories = harness.analyse(file, project, harness.Settings()).stories
    found = collect(stories, lower.span_of, text_of)
    return tuple(one for one in found if one.span.path == path and one.confidence != "possible")


def _meets(finding: Diagnostic, lines: tuple[int, ...]) -> bool:
    return any(finding.span.line <= line <= finding.span.end_line for line in lines)


def _brief(finding: Diagnostic) -> str:
    return f"{finding.span.line} {finding.code} {finding.message[:70]}"
