"""PyTorch confirms, on a sample, that a corpus program in another spelling means the same."""

from __future__ import annotations

import random

import pytest

from tests.harness.corpus import Case
from tests.harness.oracle import Verdict
from tests.metamorphic.judge import judged, rewritten
from tests.metamorphic.meaning import verdicts
from tests.metamorphic.program import Rewritten
from tests.metamorphic.table import FAMILIES

SAMPLE = 6
"""Cases for each rewriting."""


@pytest.mark.parametrize("family", FAMILIES)
def test_the_meaning_stays(family: str) -> None:
    programs = [
        (case, name, new)
        for name in FAMILIES[family]
        for case in random.Random(name).sample(judged(), SAMPLE)
        if (new := rewritten(case, name))
    ]
    answers = verdicts([(case, new.texts) for case, _, new in programs])
    wrong = [
        f"{name} on {case.name}: {answer.outcome} ({answer.message}), not {case.outcome}"
        for (case, name, new), answer in zip(programs, answers, strict=True)
        if not means_the_same(case, new, answer)
    ]
    assert not wrong, "\n".join(wrong)


def means_the_same(case: Case, new: Rewritten, answer: Verdict) -> bool:
    """The same outcome; and what PyTorch saw changed is on the lines it was on."""
    places = [place for place in answer.mutated if place in new.origins]
    lines = {line for place in places for line in new.origins[place]}
    moved = bool(lines & {*case.mutated}) or not lines or not case.mutated
    return answer.outcome == case.outcome and moved
