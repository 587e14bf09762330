"""Have PyTorch and the linter judge the same programs and tell where they differ.

Every fact of a program is in view, so the linter has to find the first error with its lines, and
nothing in a clean program. What it tells besides has to be confirmed: by the traced run, which no
changed tensor stops, or by a run without the lines that raised before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.checks.registry import registry
from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import POSSIBLE
from inplace_lint.domain.tensor import VIEW_KINDS
from tests.fuzz import grammar, rows, shaped
from tests.harness import oracle
from tests.harness.linting import lint
from tests.harness.literate import Case
from tests.harness.oracle import Event, Program, Verdict

FILE = "program.py"
KINDS: dict[str, Callable[[int], str]] = {
    "lines": grammar.program,
    "rows": rows.program,
    "shaped": shaped.program,
    "sides": rows.side,
}
"""Generators of programs, each from a seed."""

TRACED = {
    "saved-modified": "version",
    "silent": "bytes",
    **dict.fromkeys(VIEW_KINDS.values(), "version"),
}
"""Kinds of finding that the traced run records without ending; of a saved view its base's write."""

ROUNDS = 4
"""How many errors are taken out of a program to see whether a later one is real."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One program with both answers.

    `wrong` is "", "missed", "false alarm", "wrong legs", "further missed", "unconfirmed" or
    "not analysed"; `told` counts the findings that were held against PyTorch, `legs` those whose
    saved and used legs were.
    """

    seed: int
    text: str
    verdict: Verdict
    findings: tuple[tuple[int, str], ...]
    wrong: str
    told: int = 0
    legs: int = 0

    def __str__(self) -> str:
        """The answers and the program without its prelude, with line numbers."""
        first = self.text.partition("manual_seed(0)\n")[0].count("\n") + 1
        body = self.text.split("\n")[first:]
        lines = [line for _, line in self.verdict.mutated]
        head = f"seed {self.seed}: {self.wrong}; PyTorch says {self.verdict.outcome} at {lines}"
        return "\n".join(
            [f"{head}, the linter {list(self.findings)}"]
            + [f"  {first + number:3} {text}" for number, text in enumerate(body, 1) if text]
        )


def judge(seeds: Sequence[int], folder: Path, kind: str = "lines") -> list[Judged]:
    """Both answers to the programs of some seeds."""
    return judge_texts(seeds, [KINDS[kind](seed) for seed in seeds], folder)


def judge_texts(seeds: Sequence[int], texts: Sequence[str], folder: Path) -> list[Judged]:
    """Both answers to some programs."""
    homes = [folder / str(seed) for seed in seeds]
    verdicts = ask(homes, texts)
    rows = zip(seeds, texts, verdicts, homes, strict=True)
    return [compare(seed, text, verdict, home) for seed, text, verdict, home in rows]


def ask(homes: Sequence[Path], texts: Sequence[str]) -> list[Verdict]:
    """PyTorch's verdicts."""
    programs = []
    for home, text in zip(homes, texts, strict=True):
        home.mkdir(parents=True, exist_ok=True)
        (home / FILE).write_text(text, encoding="utf-8")
        programs.append(Program(home, FILE, (FILE,)))
    return oracle.ask(programs, batch=200)


def compare(seed: int, text: str, verdict: Verdict, home: Path) -> Judged:
    """Lint a program and hold the answer against PyTorch's."""
    answer = lint(Case(str(seed), 1, {FILE: text}, (), FILE), home / "linted")
    shown = [d for d in answer.diagnostics if d.confidence != POSSIBLE]
    wrong = "not analysed" if answer.errors else disagreement(verdict, shown)
    unsure = [] if wrong or verdict.outcome == "other" else unconfirmed(verdict, shown)
    if unsure and not confirmed_without(text, verdict, unsure, home / "again"):
        wrong = "unconfirmed"
    findings = tuple((d.span.line, d.code) for d in shown)
    held = 0 if verdict.outcome == "other" else len(shown)
    legs = held and sum(_kind(d) == "saved-modified" for d in shown)
    return Judged(seed, text, verdict, findings, wrong, held, legs)


def disagreement(verdict: Verdict, shown: Sequence[Diagnostic]) -> str:
    """What is wrong with the findings; errors of other families tell nothing."""
    if verdict.outcome == "other":
        return ""
    if verdict.outcome == "clean":
        return "false alarm" if shown else ""
    lines = {line for _, line in verdict.mutated}
    met = [d for d in shown if _kind(d) == verdict.outcome and (d.span.line in lines or not lines)]
    if not met:
        return "missed"
    unmet = [event for event in _first(verdict) if not any(_tells(d, event) for d in shown)]
    if not unmet:
        return ""
    near = any(_tells(d, event, legs=False) for event in unmet for d in shown)
    return "wrong legs" if near else "further missed"


def _first(verdict: Verdict) -> list[Event]:
    """Each change as the first backward met it; what an op writes to its own noise apart."""
    met: dict[object, Event] = {}
    for event in verdict.events:
        if event.kind == "version" or set(event.mutated) - set(event.saved):
            met.setdefault((event.saved, event.mutated), event)
    return list(met.values())


def unconfirmed(verdict: Verdict, shown: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings that neither run of PyTorch vouches for."""
    ended, places = verdict.later
    lines = {line for _, line in (*places, *verdict.mutated)}
    return [
        d
        for d in shown
        if not any(_tells(d, event) for event in verdict.events)
        and not (_kind(d) in (ended, verdict.outcome) and d.span.line in lines)
    ]


def confirmed_without(text: str, verdict: Verdict, unsure: list[Diagnostic], home: Path) -> bool:
    """Whether PyTorch confirms the rest once the lines that raise before them are taken out."""
    lines = text.split("\n")
    for _ in range(ROUNDS):
        _, places = verdict.later
        keep = {d.span.line for d in unsure}
        raised = [line for _, line in places if line not in keep]
        if not raised:
            return False
        for line in raised:
            indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
            lines[line - 1] = " " * indent + "pass"
        (verdict,) = ask([home], ["\n".join(lines)])
        unsure = unconfirmed(verdict, unsure)
        if not unsure:
            return True
    return False


def _kind(found: Diagnostic) -> str:
    return registry()[found.code].kind


def _tells(found: Diagnostic, event: Event, legs: bool = True) -> bool:
    """Whether a finding is about this changed tensor, with its legs where PyTorch saw them."""
    if TRACED.get(_kind(found)) != event.kind:
        return False
    lines = {line for _, line in event.mutated}
    if lines and found.span.line not in lines:
        return False
    told = [("saved", event.saved), ("used", event.backward)]
    if _kind(found) in VIEW_KINDS.values():
        told = told[1:]
    return not legs or all(_leg(found, role, {n for _, n in places}) for role, places in told)


def _leg(found: Diagnostic, role: str, lines: set[int]) -> bool:
    """Whether a leg of the role stands where PyTorch saw it."""
    return not lines or any(leg.role == role and leg.span.line in lines for leg in found.legs)
