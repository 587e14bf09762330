"""What the linter says of a rewritten case, told in the lines of the original."""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import POSSIBLE
from tests.harness import corpus
from tests.harness.corpus import Case, Finding
from tests.harness.linting import lint
from tests.harness.literate import Case as Files
from tests.metamorphic.program import Rewritten, rewrite
from tests.metamorphic.table import REWRITINGS


@dataclass(frozen=True, slots=True)
class Changed:
    """A case whose verdict another spelling changed."""

    case: str
    rewriting: str
    faults: tuple[str, ...]
    said: tuple[str, ...]
    texts: dict[str, str]

    def __str__(self) -> str:
        """One line."""
        return f"{self.rewriting} on {self.case}: {', '.join(self.faults)} {[*self.said]}"


def rewritten(case: Case, name: str) -> Rewritten | None:
    """A case in another spelling; None where that says nothing new."""
    text, kept = _source(case)
    return rewrite(text, Path(case.file).name, REWRITINGS[name], kept)


@functools.cache
def _source(case: Case) -> tuple[str, frozenset[str]]:
    """The text of a case and the words of its driver."""
    text = (corpus.ROOT / case.file).read_text(encoding="utf-8")
    driver = corpus.ROOT / case.driver
    words = re.findall(r"\w+", driver.read_text(encoding="utf-8")) if driver.exists() else []
    return text, frozenset(words)


def changed(case: Case, name: str) -> Changed | None:
    """How the linter's answer to a case differs from that to its original."""
    new = rewritten(case, name)
    if new is None:
        return None
    faults, said = _faults(case, new)
    new_faults = tuple(f for f in faults if f not in _before(case))
    return Changed(case.name, name, new_faults, said, new.texts) if new_faults else None


@functools.cache
def _before(case: Case) -> tuple[str, ...]:
    text, _ = _source(case)
    lines = range(1, text.count("\n") + 2)
    file = Path(case.file).name
    plain = Rewritten({file: text}, {(file, n): range(n, n + 1) for n in lines})
    return _faults(case, plain)[0]


def _faults(case: Case, new: Rewritten) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The faults of an answer and what it said."""
    files = Files(case.name, 1, new.texts, (), next(iter(new.texts)))
    with tempfile.TemporaryDirectory() as folder:
        answer = lint(files, Path(folder))
    shown = [d for d in answer.diagnostics if d.confidence != POSSIBLE]
    findings = [_moved_back(d, new) for d in shown]
    faults = corpus.mark(case, {case.file: findings}, alone=True).wrong(case)
    said = [f"{d.span.path}:{d.span.line} {d.code} {d.confidence}" for d in answer.diagnostics]
    return (*faults, *(["error"] if answer.errors else [])), (*said, *answer.errors)


def _moved_back(diagnostic: Diagnostic, new: Rewritten) -> Finding:
    """A finding on the lines that the original has for its statements."""
    lines = _original(new, diagnostic.span.path, diagnostic.span.line)
    legs = [
        {"role": leg.role, "line": line}
        for leg in diagnostic.legs
        for line in _original(new, leg.span.path, leg.span.line)
    ]
    return {
        "line": lines[0],
        "end_line": lines[-1],
        "code": diagnostic.code,
        "kind": diagnostic.kind,
        "legs": legs,
    }


def _original(new: Rewritten, file: str, line: int) -> range:
    """Where a line comes from; made-up lines come from line 0."""
    return new.origins.get((file, line), range(1))


def judged() -> list[Case]:
    """The cases whose verdict can be compared."""
    return [case for case in corpus.cases() if case.outcome != "other"]


def pairs() -> Iterator[tuple[Case, str]]:
    """Every case with every rewriting."""
    return ((case, name) for name in REWRITINGS for case in judged())
