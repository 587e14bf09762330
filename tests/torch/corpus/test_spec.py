"""What the literate programs of tests/spec claim is asked of real PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.checks.registry import registry
from tests.harness import literate, oracle
from tests.harness.literate import Case, Expected
from tests.harness.oracle import Place, Program, Verdict

SPEC = Path(__file__).parents[2] / "spec"
DOCUMENTS = sorted(SPEC.rglob("*.md"))


def objection(case: Case, verdict: Verdict) -> str | None:
    """Why PyTorch's verdict contradicts a program's marks; None if it does not."""
    errors = case.of("error")
    if not errors or verdict.outcome == "clean":
        clean = not errors and verdict.outcome == "clean" and not verdict.caught
        return wrong_reveal(case, verdict) if clean else f"{verdict.outcome}: {verdict.message}"
    kinds = registry()
    fitting = [e for e in errors if kinds[e.text].kind == verdict.outcome]
    if not fitting:
        return f"no mark is of kind {verdict.outcome}: {verdict.message}"
    # a write that PyTorch can't see (numpy) has no line of its own
    if verdict.mutated and not any(place(e) in verdict.mutated for e in fitting):
        return f"PyTorch saw the write at {verdict.mutated}"
    return wrong_leg(case, verdict)


def wrong_leg(case: Case, verdict: Verdict) -> str | None:
    told = {"saved": verdict.saved, "used": verdict.backward}
    for leg in case.of("leg"):
        places = told.get(leg.text, ())
        if places and place(leg) not in places:
            return f"PyTorch says {leg.text} at {places}"
    return None


def wrong_reveal(case: Case, verdict: Verdict) -> str | None:
    """Compare version and requires_grad of what a program without errors reveals."""
    told = {spot: (version, requires) for spot, version, requires in verdict.revealed}
    for mark in case.of("revealed"):
        words = mark.text.split(", ")
        if "tensor" in words or any(word.startswith("view by") for word in words):
            version, requires = told[place(mark)]
            said = f"version {version}" in words, "requires grad" in words
            if said != (True, requires):
                return f"line {mark.line} is version {version}, requires_grad={requires}"
    return None


def place(mark: Expected) -> Place:
    return mark.file.rpartition("/")[2], mark.line


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_pytorch_agrees(document: Path, tmp_path: Path) -> None:
    cases = [c for c in literate.cases(document.read_text(encoding="utf-8")) if not c.no_truth]
    programs = []
    for number, case in enumerate(cases):
        case.write(tmp_path / str(number), case.files)
        files = (*(f for f in case.files if f != case.main), case.main)
        programs.append(Program(tmp_path / str(number), case.main, files))
    verdicts = oracle.ask(programs)
    objections = [
        f"{document}:{case.line}: {case.name}: {said}"
        for case, verdict in zip(cases, verdicts, strict=True)
        if (said := objection(case, verdict))
    ]
    assert not objections, "\n".join(objections)
