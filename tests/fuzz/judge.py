"""Have PyTorch and the linter judge the same programs and tell where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.checks.registry import registry
from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import POSSIBLE
from tests.fuzz import grammar, rows, shaped
from tests.harness import oracle
from tests.harness.linting import lint
from tests.harness.literate import Case
from tests.harness.oracle import Place, Program, Verdict

FILE = "program.py"
KINDS: dict[str, Callable[[int], str]] = {
    "lines": grammar.program,
    "rows": rows.program,
    "shaped": shaped.program,
}
"""Generators of programs, each from a seed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One program with both answers.

    `wrong` is "", "missed", "false alarm", "wrong legs" or "not analysed".
    """

    seed: int
    text: str
    verdict: Verdict
    findings: tuple[tuple[int, str], ...]
    wrong: str

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
    programs, texts = [], []
    for seed in seeds:
        home = folder / str(seed)
        home.mkdir(parents=True)
        texts.append(KINDS[kind](seed))
        (home / FILE).write_text(texts[-1], encoding="utf-8")
        programs.append(Program(home, FILE, (FILE,)))
    verdicts = oracle.ask(programs, batch=200)
    triples = zip(seeds, texts, verdicts, strict=True)
    return [compare(seed, text, verdict, folder) for seed, text, verdict in triples]


def compare(seed: int, text: str, verdict: Verdict, folder: Path) -> Judged:
    """Lint a program and hold the answer against PyTorch's."""
    case = Case(str(seed), 1, {FILE: text}, (), FILE)
    answer = lint(case, folder / str(seed) / "linted")
    shown = [d for d in answer.diagnostics if d.confidence != POSSIBLE]
    wrong = "not analysed" if answer.errors else disagreement(verdict, shown)
    findings = tuple((d.span.line, d.code) for d in shown)
    return Judged(seed, text, verdict, findings, wrong)


def disagreement(verdict: Verdict, shown: Sequence[Diagnostic]) -> str:
    """What is wrong with the findings; errors of other families tell nothing."""
    if verdict.outcome == "other":
        return ""
    if verdict.outcome == "clean":
        return "false alarm" if shown else ""
    kinds = registry()
    lines = {line for _, line in verdict.mutated}
    met = [
        d
        for d in shown
        if kinds[d.code].kind == verdict.outcome and (d.span.line in lines or not lines)
    ]
    if not met:
        return "missed"
    told = (("saved", verdict.saved), ("used", verdict.backward))
    fine = any(all(not places or _leg(d, role, places) for role, places in told) for d in met)
    return "" if fine or verdict.outcome != "saved-modified" else "wrong legs"


def _leg(found: Diagnostic, role: str, places: Sequence[Place]) -> bool:
    """Whether a leg of the role stands where PyTorch saw it."""
    lines = {line for _, line in places}
    return any(leg.role == role and leg.span.line in lines for leg in found.legs)


def figures(judged: Sequence[Judged]) -> str:
    """How often each outcome came, and how often it was answered wrongly."""
    came = Counter(j.verdict.outcome for j in judged)
    wrong = Counter(j.verdict.outcome for j in judged if j.wrong)
    return "\n".join(f"{name:22} {count:6} {wrong[name]:5} wrong" for name, count in came.items())
