"""A sample of the corpus in every spelling: the verdict stays.

All of it, by hand: `python -m tests.metamorphic`.
"""

from __future__ import annotations

import ast
import importlib
import random
import sys
from pathlib import Path

import pytest

from tests.metamorphic.judge import changed, judged, rewritten
from tests.metamorphic.program import Program, rewrite
from tests.metamorphic.table import FAMILIES, REWRITINGS

tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
KNOWN = tomllib.loads((Path(__file__).parent / "known.toml").read_text(encoding="utf-8"))
CASES = {case.name: case for case in judged()}
SAMPLE = 9
"""Cases for each rewriting."""


@pytest.mark.parametrize("family", FAMILIES)
def test_the_verdict_stays(family: str) -> None:
    lost = []
    for name in FAMILIES[family]:
        chosen = random.Random(name).sample(sorted(CASES), SAMPLE)
        plain = [case for case in chosen if case not in KNOWN.get(name, {})]
        lost += [one for case in plain if (one := changed(CASES[case], name))]
    assert not lost, "\n".join(map(str, lost))


@pytest.mark.parametrize("name", KNOWN)
def test_known_changes_still_are(name: str) -> None:
    mended = [case for case in KNOWN[name] if not changed(CASES[case], name)]
    assert not mended, "right by now: out of known.toml with them"


def test_every_rewriting_applies_to_cases() -> None:
    chosen = random.Random(0).sample(sorted(CASES), len(CASES))
    idle = {name for name in REWRITINGS if not any(rewritten(CASES[case], name) for case in chosen)}
    assert not idle


def test_another_meaning_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REWRITINGS, "detached", _without_writes)
    case = CASES["github/heatmap_heads_split_sigmoid"]
    one = changed(case, "detached")
    assert one is not None
    assert one.faults == ("missed",)


def _without_writes(program: Program) -> None:
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Attribute) and node.attr.endswith("_"):
            node.attr = node.attr.strip("_")


def test_lines_are_told_as_those_of_the_original() -> None:
    text = "import torch\n\n\ndef f(\n  x,\n):\n  y = (\n    x.exp()\n  )\n  return y.add_(1)\n"
    new = rewrite(text, "a.py", REWRITINGS["statements_as_functions"], frozenset())
    assert new is not None
    lines = new.texts["a.py"].splitlines()
    assert new.origins["a.py", lines.index("    y = x.exp()") + 1] == range(7, 10)
    assert new.origins["a.py", lines.index("    y = _part_1(x)") + 1] == range(7, 10)
    assert new.origins["a.py", lines.index("    return y.add_(1)") + 1] == range(10, 11)
    assert new.origins["a.py", lines.index("def _part_1(x):") + 1] == range(1)
