"""Have PyTorch and the linter judge the same programs and tell where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.checks.registry import registry
from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import POSSIBLE
from tests.fuzz.grammar import PRELUDE, program
from tests.harness import oracle
from tests.harness.linting import lint
from tests.harness.literate import Case
from tests.harness.oracle import Program, Verdict

FILE = "program.py"


@dataclass(frozen=True, slots=True)
class Judged:
    """One program with both answers; `wrong` is "", "missed", "false alarm" or "not analysed"."""

    seed: int
    verdict: Verdict
    findings: tuple[tuple[int, str], ...]
    wrong: str

    def __str__(self) -> str:
        """The answers and the program without its prelude, with line numbers."""
        first = PRELUDE.count("\n")
        body = program(self.seed).split("\n")[first:]
        lines = [line for _, line in self.verdict.mutated]
        head = f"seed {self.seed}: {self.wrong}; PyTorch says {self.verdict.outcome} at {lines}"
        return "\n".join(
            [f"{head}, the linter {list(self.findings)}"]
            + [f"  {first + number:3} {text}" for number, text in enumerate(body, 1) if text]
        )


def judge(seeds: Sequence[int], folder: Path) -> list[Judged]:
    """Both answers to the programs of some seeds."""
    programs = []
    for seed in seeds:
        home = folder / str(seed)
        home.mkdir(parents=True)
        (home / FILE).write_text(program(seed), encoding="utf-8")
        programs.append(Program(home, FILE, (FILE,)))
    verdicts = oracle.ask(programs, batch=200)
    return [compare(s, v, folder) for s, v in zip(seeds, verdicts, strict=True)]


def compare(seed: int, verdict: Verdict, folder: Path) -> Judged:
    """Lint the program of a seed and hold the answer against PyTorch's."""
    case = Case(str(seed), 1, {FILE: program(seed)}, (), FILE)
    answer = lint(case, folder / str(seed) / "linted")
    shown = [d for d in answer.diagnostics if d.confidence != POSSIBLE]
    wrong = "not analysed" if answer.errors else disagreement(verdict, shown)
    findings = tuple((d.span.line, d.code) for d in shown)
    return Judged(seed, verdict, findings, wrong)


def disagreement(verdict: Verdict, shown: Sequence[Diagnostic]) -> str:
    """What is wrong with the findings; errors of other families tell nothing."""
    if verdict.outcome == "other":
        return ""
    if verdict.outcome == "clean":
        return "false alarm" if shown else ""
    kinds = registry()
    lines = {line for _, line in verdict.mutated}
    met = any(kinds[d.code].kind == verdict.outcome and d.span.line in lines for d in shown)
    return "" if met else "missed"


def figures(judged: Sequence[Judged]) -> str:
    """How often each outcome came, and how often it was answered wrongly."""
    came = Counter(j.verdict.outcome for j in judged)
    wrong = Counter(j.verdict.outcome for j in judged if j.wrong)
    return "\n".join(f"{name:22} {count:6} {wrong[name]:5} wrong" for name, count in came.items())
