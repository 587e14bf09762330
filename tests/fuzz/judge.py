"""Have PyTorch and the linter judge the same programs and tell where they differ.

Every fact of a program is in view, so the linter has to find the first error with its lines, and
nothing in a clean program. What it tells besides has to be confirmed: by the traced run, which no
changed tensor stops, or by a run without the lines that raised before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.checks.registry import registry
from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import CERTAIN, POSSIBLE
from inplace_lint.domain.tensor import VIEW_KINDS
from inplace_lint.interp.saving import ON_CUDA
from tests.fuzz import grammar, grown, others, rows, shaped
from tests.harness import oracle
from tests.harness.linting import lint
from tests.harness.literate import Case
from tests.harness.oracle import Event, Place, Program, Verdict

FILE = "program.py"
START = "manual_seed(0)\n"
"""The prelude of a program ends here."""
KINDS: dict[str, Callable[[int], str]] = {
    "grown": grown.program,
    "lines": grammar.program,
    "others": others.side,
    "rows": rows.program,
    "shaped": shaped.program,
    "sides": rows.side,
}
"""Generators of programs, each from a seed."""

TRACED = {
    "saved-modified": ("version",),
    "silent": ("bytes",),
    **dict.fromkeys(VIEW_KINDS.values(), ("version",)),
}
"""Kinds of finding that the traced run records without ending.

It knows a saved view by the write to its base.
"""

ROUNDS = 4
"""How many errors are taken out of a program to see whether a later one is real."""


@dataclass(frozen=True, slots=True)
class Truth:
    """PyTorch's verdict; where it can't see a write (`blind`), and where the program starts."""

    verdict: Verdict
    blind: frozenset[int]
    start: int

    @classmethod
    def of(cls, text: str, verdict: Verdict) -> Truth:
        """The truth of a program."""
        lines = enumerate(text.split("\n"), 1)
        blind = frozenset(number for number, line in lines if "numpy" in line)
        return cls(verdict, blind, text.partition(START)[0].count("\n") + 1)


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
        first = self.text.partition(START)[0].count("\n") + 1
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
    told = [d for d in answer.diagnostics if d.confidence != POSSIBLE]
    shown = [d for d in told if ON_CUDA not in (d.assumes or "")]  # here is the CPU alone
    truth = Truth.of(text, verdict)
    wrong = "not analysed" if answer.errors else disagreement(truth, shown)
    unsure = [] if wrong or verdict.outcome == "other" else unconfirmed(truth, shown)
    if unsure and not confirmed_without(text, verdict, unsure, home / "again"):
        wrong = "unconfirmed"
    findings = tuple((d.span.line, d.code) for d in shown)
    held = 0 if verdict.outcome == "other" else len(shown)
    legs = held and sum(_kind(d) == "saved-modified" for d in shown)
    return Judged(seed, text, verdict, findings, wrong, held, legs)


def disagreement(truth: Truth, shown: Sequence[Diagnostic]) -> str:
    """What is wrong with the findings; errors of other families tell nothing."""
    verdict = truth.verdict
    if verdict.outcome == "other":
        return ""
    if verdict.outcome == "clean":
        return "false alarm" if shown else ""
    if not any(_is_first(d, truth) for d in shown):
        return "missed"
    unmet = [event for event in _first(verdict) if not any(_tells(d, event, truth) for d in shown)]
    if not unmet:
        return ""
    if verdict.later[0] == "other":  # not all that the legs tell of was run
        return ""
    near = any(_tells(d, event, truth, legs=False) for event in unmet for d in shown)
    return "wrong legs" if near else "further missed"


def _is_first(found: Diagnostic, truth: Truth) -> bool:
    """Whether a finding is the error that PyTorch raised."""
    if _kind(found) != truth.verdict.outcome:
        return False
    lines = _lines(truth.verdict.mutated)
    if _kind(found) == "freed-graph":  # raised in a helper's backward(), told at the call of it
        lines = {line for line in lines if line > truth.start}
    unseen = _kind(found) == "silent" and found.span.line in truth.blind
    return not lines or found.span.line in lines or unseen


def _first(verdict: Verdict) -> list[Event]:
    """Each change as the first backward met it; what an op writes to its own noise apart."""
    met: list[Event] = []
    for event in verdict.events:
        own = event.kind == "bytes" and not set(event.mutated) - set(event.saved)
        again = any(e.saved == event.saved and set(e.mutated) <= set(event.mutated) for e in met)
        if not own and not again:
            met.append(event)
    return met


def unconfirmed(truth: Truth, shown: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings that neither run of PyTorch vouches for; those of an assumption can't be."""
    ended, places = truth.verdict.later
    lines = _lines(places)
    return [
        d
        for d in shown
        if d.confidence == CERTAIN
        and not any(_tells(d, event, truth) for event in truth.verdict.events)
        and not (_kind(d) == ended and d.span.line in lines)
        and not _is_first(d, truth)
    ]


CAUGHT = 'with __import__("contextlib").suppress(RuntimeError): '


def confirmed_without(text: str, verdict: Verdict, unsure: list[Diagnostic], home: Path) -> bool:
    """Whether PyTorch confirms the rest once the errors that it raises before are caught."""
    lines = text.split("\n")
    for _ in range(ROUNDS):
        ended, places = verdict.later
        if ended == "other":  # whatever comes later can't be asked
            return True
        raised = [line for _, line in places if CAUGHT not in lines[line - 1]]
        if not raised:
            return False
        hidden = [d for d in unsure if _leg(d, "used", set(raised))]
        unsure = [d for d in unsure if d not in hidden]  # that backward ended before it got there
        for line in raised:
            bare = lines[line - 1].lstrip()
            indent = lines[line - 1].removesuffix(bare)
            lines[line - 1] = f"{indent}{CAUGHT}{bare}"
        (verdict,) = ask([home], ["\n".join(lines)])
        unsure = unconfirmed(Truth.of(text, verdict), unsure)
        if not unsure:
            return True
    return False


def _kind(found: Diagnostic) -> str:
    return registry()[found.code].kind


def _tells(found: Diagnostic, event: Event, truth: Truth, legs: bool = True) -> bool:
    """Whether a finding is about this changed tensor, with its legs where PyTorch saw them."""
    if event.kind not in TRACED.get(_kind(found), ()):
        return False
    lines = _lines(event.mutated)
    unseen = event.kind == "bytes" and found.span.line in truth.blind
    if lines and found.span.line not in lines and not unseen:
        return False
    if not legs:
        return True
    saved = _kind(found) in VIEW_KINDS.values() or _leg(found, "saved", _lines(event.saved))
    return saved and _leg(found, "used", _used(event, truth.verdict))


def _used(event: Event, verdict: Verdict) -> set[int]:
    """Where the write is met: a finding names one such backward for all that it changed."""
    alike = [e for e in verdict.events if e is event or set(e.mutated) & set(event.mutated)]
    return {line for e in alike for line in _lines(e.backward)}


def _lines(places: Iterable[Place]) -> set[int]:
    return {line for _, line in places}


def _leg(found: Diagnostic, role: str, lines: set[int]) -> bool:
    """Whether a leg of the role stands where PyTorch saw it."""
    return not lines or any(leg.role == role and leg.span.line in lines for leg in found.legs)
