"""Compare what the linter said with what a literate program expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inplace_lint.diagnostic import Diagnostic
from inplace_lint.domain.story import POSSIBLE
from tests.harness.literate import Case, Expected


@dataclass(frozen=True, slots=True)
class Revealed:
    """What the interpreter told at a call of `reveal`."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The linter's answer to one program; paths are the names of its files."""

    diagnostics: tuple[Diagnostic, ...]
    revealed: tuple[Revealed, ...] = ()
    errors: tuple[str, ...] = ()


def mismatches(case: Case, answer: Answer) -> list[str]:
    """What differs, one line each, in the order of the program; empty if all is as expected."""
    found = [
        *_findings(case.of("error"), answer.diagnostics),
        *_legs(case.of("leg"), answer.diagnostics),
        *_reveals(case.of("revealed"), answer.revealed),
    ]
    return [f"{file}:{line}: {text}" for file, line, text in sorted(found)] + [
        f"not analysed: {error}" for error in answer.errors
    ]


Mismatch = tuple[str, int, str]


def _findings(marks: Sequence[Expected], got: Sequence[Diagnostic]) -> Iterator[Mismatch]:
    rest = list(got)
    for mark in marks:
        same = [d for d in rest if _meets(mark, d)]
        if not same:
            yield mark.file, mark.line, f"expected {mark.text}, not found"
            continue
        rest.remove(same[0])
        if mark.confidence not in (None, same[0].confidence):
            yield mark.file, mark.line, f"expected {mark.confidence}, got {same[0].confidence}"
        if mark.message is not None and mark.message not in same[0].message:
            yield mark.file, mark.line, f"expected {mark.message!r} in {same[0].message!r}"
    for diagnostic in rest:
        if diagnostic.confidence == POSSIBLE:
            continue
        said = f"unexpected {diagnostic.code} [{diagnostic.confidence}] {diagnostic.message}"
        yield *_place(diagnostic), said


def _meets(mark: Expected, diagnostic: Diagnostic) -> bool:
    """Whether a finding is the marked one; what the command hides must be asked for by name."""
    hidden = diagnostic.confidence == POSSIBLE and mark.confidence != POSSIBLE
    return not hidden and (*_place(diagnostic), diagnostic.code) == (
        mark.file,
        mark.line,
        mark.text,
    )


def _place(diagnostic: Diagnostic) -> tuple[str, int]:
    return diagnostic.span.path, diagnostic.span.line


def _legs(marks: Sequence[Expected], got: Sequence[Diagnostic]) -> Iterator[Mismatch]:
    legs = {(leg.span.path, leg.span.line, leg.role) for d in got for leg in d.legs}
    for mark in marks:
        if (mark.file, mark.line, mark.text) not in legs:
            yield mark.file, mark.line, f"no leg says {mark.text}"


def _reveals(marks: Sequence[Expected], got: Sequence[Revealed]) -> Iterator[Mismatch]:
    said: dict[tuple[str, int], set[str]] = {}
    for revealed in got:
        said.setdefault((revealed.file, revealed.line), set()).add(revealed.text)
    for mark in marks:
        texts = said.pop((mark.file, mark.line), set())
        if mark.text not in texts:
            yield mark.file, mark.line, f"expected {mark.text!r}, revealed {sorted(texts)}"
    for (file, line), texts in said.items():
        yield file, line, f"revealed {sorted(texts)}, which no mark expects"
