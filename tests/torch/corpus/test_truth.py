"""Real PyTorch is asked again for the truth of every program of the corpus."""

from __future__ import annotations

import pytest

from tests.harness import corpus, oracle
from tests.harness.corpus import Case
from tests.harness.oracle import Verdict

CASES = corpus.cases()
CHUNKS = [CASES[start : start + 36] for start in range(0, len(CASES), 36)]


def lines(places: tuple[oracle.Place, ...], case: Case) -> tuple[int, ...]:
    own = case.file.rpartition("/")[2]
    return tuple(line for file, line in places if file == own)


def answer(case: Case, verdict: Verdict) -> tuple[object, ...]:
    """The verdict in the terms of truth.jsonl; a line given by hand wins over a traced one."""
    mutated = lines(verdict.mutated, case)
    if case.by_hand and verdict.outcome != "clean":
        mutated = tuple(sorted(case.by_hand))
    saved, backward = lines(verdict.saved, case), lines(verdict.backward, case)
    return verdict.outcome, mutated, saved, backward, verdict.caught


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk[0].name)
def test_pytorch_still_says_so(chunk: list[Case]) -> None:
    verdicts = oracle.ask([case.program for case in chunk])
    told = {case.name: answer(case, verdict) for case, verdict in zip(chunk, verdicts, strict=True)}
    truth = {c.name: (c.outcome, c.mutated, c.saved, c.backward, False) for c in chunk}
    wrong = [case for case in chunk if told[case.name] != truth[case.name]]
    # what one program left in the process may have disturbed the next: alone, it counts
    for case in wrong:
        (verdict,) = oracle.ask([case.program])
        told[case.name] = answer(case, verdict)
    assert told == truth
