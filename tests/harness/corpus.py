"""The corpus: programs whose truth PyTorch told, and how a linter's answer compares with it.

`NAME.py` is what is linted, `NAME__run.py` (if there) runs it as a training script would,
`NAME.json` says where it comes from, and `truth.jsonl` holds what `oracle` said of each program of
a folder.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.command import environment
from tests.harness.oracle import Program

ROOT = Path(__file__).parents[1] / "corpus"
FOLDERS = ("exam", "forum", "github", "semantics")
DRIVER = "__run"
LONGEST_STATEMENT = 30
"""A finding that spans more lines than this is about no statement."""


@dataclass(frozen=True, slots=True)
class Case:
    """One program and its truth; lines are of the program's own file, never of its driver."""

    name: str
    program: Program
    outcome: str
    mutated: tuple[int, ...]
    saved: tuple[int, ...]
    backward: tuple[int, ...]
    declared: tuple[int, ...] = ()
    by_hand: tuple[int, ...] = ()

    @property
    def file(self) -> str:
        """Path of the program below the corpus."""
        return f"{self.name}.py"

    @property
    def driver(self) -> str:
        """Path its driver has, if there is one."""
        return f"{self.name}{DRIVER}.py"


def cases() -> list[Case]:
    """Every case, by folder and name."""
    return [case for folder in FOLDERS for case in _folder(ROOT / folder)]


def _folder(folder: Path) -> Iterator[Case]:
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row["case"]
        files = [f"{name}.py", f"{name}{DRIVER}.py"]
        files = [file for file in files if (folder / file).exists()]
        notes = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        yield Case(
            name=f"{folder.name}/{name}",
            program=Program(folder, files[-1], tuple(files)),
            outcome=row["outcome"],
            mutated=tuple(row["mutated"]),
            saved=tuple(row["saved"]),
            backward=tuple(row["backward"]),
            declared=tuple(row.get("declared", ())),
            by_hand=tuple(notes.get("mutated", ())),
        )


ALSO: dict[str, tuple[str, ...]] = {"leaf-view-inplace": ("leaf-inplace",)}
"""Kinds that pass for one another."""


@dataclass(slots=True)
class Marks:
    """How one case was answered; `wrong` names each fault: missed, kind, legs, stray, alarm."""

    found: bool = False
    right_kind: bool = False
    right_legs: bool | None = None
    strays: list[tuple[int, str]] = field(default_factory=list)
    alarms: list[tuple[int, str]] = field(default_factory=list)

    def wrong(self, case: Case) -> list[str]:
        """The faults of this answer, as `known.toml` names them."""
        if case.outcome == "clean":
            return ["alarm"] if self.alarms else []
        faults = ["stray"] if self.strays else []
        if not self.found:
            return ["missed", *faults]
        if not self.right_kind:
            faults.insert(0, "kind")
        return faults if self.right_legs in (None, True) else ["legs", *faults]


Finding = dict[str, Any]
"""A finding of the JSON contract."""


def mark(case: Case, findings: dict[str, list[Finding]], alone: bool) -> Marks:
    """Compare what a linter said with the truth; `findings` by path below the corpus."""
    own = findings.get(case.file, [])
    both = own + findings.get(case.driver, [])
    if case.outcome == "clean":
        return Marks(alarms=[(f["line"], f["code"]) for f in both])
    on = [f for f in own if _stands_on(f, case.mutated + case.declared)]
    marks = Marks(strays=[(f["line"], f["code"]) for f in both if f not in on])
    if on:
        kinds = (case.outcome, *ALSO.get(case.outcome, ()))
        marks.found = True
        marks.right_kind = any(f["kind"] in kinds for f in on)
        if case.outcome == "saved-modified" and case.saved:
            marks.right_legs = any(_right_legs(f, case, alone) for f in on)
    return marks


def _stands_on(finding: Finding, lines: tuple[int, ...]) -> bool:
    first, last = finding["line"], finding["end_line"]
    return last - first < LONGEST_STATEMENT and any(first <= line <= last for line in lines)


def _right_legs(finding: Finding, case: Case, alone: bool) -> bool:
    legs = {(leg["role"], leg["line"]) for leg in finding["legs"]}
    saved = any(("saved", line) in legs for line in case.saved)
    used = alone or not case.backward or any(("used", line) in legs for line in case.backward)
    return saved and used


def answers(tree: Path, alone: bool) -> dict[Case, Marks]:
    """Every case as the command answers it in one run, laid out under an empty folder.

    `alone`: without the drivers in view.
    """
    everything = cases()
    for case in everything:
        for file in case.program.files[: 1 if alone else None]:
            to = tree / case.name.partition("/")[0] / file
            to.parent.mkdir(exist_ok=True)
            shutil.copy(case.program.folder / file, to)
    findings = _lint(tree)
    return {case: mark(case, findings, alone) for case in everything}


def _lint(tree: Path) -> dict[str, list[Finding]]:
    """Findings of one run over a tree, by path below it."""
    command = [sys.executable, "-m", "inplace_lint", "check", "--format", "json", "--no-cache", "."]
    done = subprocess.run(
        command, cwd=tree, env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    answer = json.loads(done.stdout)
    if answer["errors"]:
        raise RuntimeError(answer["errors"])
    findings: dict[str, list[Finding]] = defaultdict(list)
    for finding in answer["findings"]:
        findings[finding["path"]].append(finding)
    return findings
