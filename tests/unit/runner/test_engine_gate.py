"""The gate is safe: what it holds back would have found nothing, nor does a newer grammar lose any.

Every program of the corpus and a sample of the fuzzer's are run with the gate and with a gate that
lets everything pass.
"""

from __future__ import annotations

import pytest

from inplace_lint import harness, lower
from inplace_lint.harness.gate import Gate
from inplace_lint.source import Unit, from_text
from tests.fuzz import grammar
from tests.harness import corpus

CASES = {case.name: case.program.folder / case.program.main for case in corpus.cases()}
FUZZED = 60
WRAPPED = "def entry(x):\n    return helper(x)\n\n\ndef helper(x):\n    return x.exp().{}\n"


def found(text: str) -> set[tuple[object, ...]]:
    """Kind, lines and confidence of every story of a text."""
    result = harness.analyse(from_text(text), harness.NoProject(), harness.Settings(strict=True))
    spans = ((story, lower.span_of(story.mutated.site)) for story in result.stories)
    return {(story.kind, span.line, span.column, story.confidence) for story, span in spans}


def shown(text: str) -> set[tuple[object, ...]]:
    """The same without what is only possible: more entries may guess more."""
    return {story for story in found(text) if story[-1] != "possible"}


def without_gate(text: str, monkeypatch: pytest.MonkeyPatch) -> set[tuple[object, ...]]:
    with monkeypatch.context() as patch:
        for name in ("is_hot", "may_write", "makes_tensors"):
            patch.setattr(Gate, name, lambda *_: True)
        return shown(text)


@pytest.mark.parametrize("name", CASES)
def test_of_the_corpus(name, monkeypatch):
    text = CASES[name].read_text(encoding="utf-8")
    assert shown(text) == without_gate(text, monkeypatch)


@pytest.mark.parametrize("seed", range(FUZZED))
def test_of_fuzzed_programs(seed, monkeypatch):
    text = grammar.program(seed)
    in_function = "\n".join(["def entry():", *(f"    {line}" for line in text.splitlines())])
    for each in (text, in_function):
        assert shown(each) == without_gate(each, monkeypatch)


@pytest.mark.parametrize("name", CASES)
def test_a_grammar_that_ast_cannot_read_changes_nothing(name):
    text = CASES[name].read_text(encoding="utf-8")
    newer = f"{text}\nlazy import inplace_lint_newer\n"
    assert shown(newer) == shown(text)


def test_the_gate_holds_something_back(monkeypatch):
    cold = WRAPPED.format("sin()")
    entered: list[bool] = []
    original = Gate.may_write

    def note(gate: Gate, unit: Unit) -> bool:
        entered.append(original(gate, unit))
        return entered[-1]

    monkeypatch.setattr(Gate, "may_write", note)
    assert found(cold) == set()
    assert False in entered
    entered.clear()
    assert found(WRAPPED.format("add_(1)"))
    assert True in entered
