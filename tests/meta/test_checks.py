"""Every check is documented and tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.checks.base import Check
from inplace_lint.checks.registry import registry
from tests.harness import literate

SPEC = Path(__file__).parents[1] / "spec"
CHECKS = [check for check in registry().values() if check.kind]


@pytest.fixture(scope="module")
def marked() -> set[str]:
    """The codes that some literate program expects."""
    return {
        mark.text
        for document in SPEC.rglob("*.md")
        for case in literate.cases(document.read_text(encoding="utf-8"))
        for mark in case.of("error")
    }


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_a_check_is_expected_by_some_program(check: Check, marked: set[str]) -> None:
    assert check.code in marked


@pytest.mark.parametrize("check", registry().values(), ids=lambda check: check.code)
def test_a_check_has_its_page(check: Check) -> None:
    page = check.page
    assert all([page.what, page.why, page.instead, check.summary])
    if check.kind:
        assert all([page.bad, page.good, check.message])


@pytest.mark.parametrize("check", registry().values(), ids=lambda check: check.code)
def test_a_name_reads_as_what_is_wrong(check: Check) -> None:
    assert check.name == check.name.lower().strip("-")
    assert set(check.name) <= set("abcdefghijklmnopqrstuvwxyz-")
    module = check.name.replace("-", "_")
    source = Path(__file__).parents[2] / "inplace_lint" / "checks" / f"{module}.py"
    assert source.is_file(), "a check's file is called as the check is"


@pytest.mark.parametrize("side", ["bad", "good"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_the_linter_answers_the_examples_of_a_page(check: Check, side: str, tmp_path: Path) -> None:
    from tests.harness.linting import lint

    text = check.page.bad if side == "bad" else check.page.good
    example = literate.Case(side, 1, {"example.py": text}, (), "example.py")
    answer = lint(example, tmp_path)
    found = {d.code for d in answer.diagnostics if d.confidence != "possible"}
    assert answer.errors == ()
    assert found == ({check.code} if side == "bad" else set())
