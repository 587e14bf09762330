"""Goldens: Python to IR (`*.md` beside this file); `pytest --update` rewrites them."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.ir.printer import render
from inplace_lint.ir.validate import problems
from inplace_lint.lower import dispatch, lower_unit
from inplace_lint.source import from_text
from tests.harness import markdown

DOCUMENTS = sorted(Path(__file__).parent.glob("*.md"))
SECTIONS = [
    pytest.param(path, section, id=f"{path.stem}: {section.name}")
    for path in DOCUMENTS
    for section in markdown.parse(path.read_text(encoding="utf-8"))
    if section.blocks
]


@pytest.fixture(autouse=True)
def _strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "STRICT", True)


def lowered(text: str) -> str:
    """The IR of a program, all units one after the other; it must be well formed."""
    file = from_text(text, "golden.py")
    assert file.error is None, file.error.message
    functions = [lower_unit(unit) for unit in file.units]
    assert [problem for function in functions for problem in problems(function)] == []
    return "".join(map(render, functions))


@pytest.mark.parametrize(("path", "section"), SECTIONS)
def test_golden(path: Path, section: markdown.Section, update: bool) -> None:
    assert [block.language for block in section.blocks] == ["python", "ir"]
    program, golden = section.blocks
    ir = lowered(program.text)
    if update and ir != golden.text:
        text = path.read_text(encoding="utf-8")
        line = _line_of_golden(text, section)
        path.write_text(markdown.replace(text, {line: ir}), encoding="utf-8")
    else:
        assert ir == golden.text


def _line_of_golden(text: str, section: markdown.Section) -> int:
    """Where the golden is now: those above it may have been rewritten."""
    (current,) = [found for found in markdown.parse(text) if found.titles == section.titles]
    return current.blocks[1].line
