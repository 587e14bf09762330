"""Literate programs: which marks and directives are read, and which are refused."""

from __future__ import annotations

import pytest

from tests.harness import literate
from tests.harness.literate import Expected
from tests.harness.markdown import MarkdownError


def document(*lines: str) -> str:
    return "\n".join(["# T", "## case", "```python", *lines, "```", ""])


def test_marks_are_read_with_what_they_ask() -> None:
    (case,) = literate.cases(
        document(
            "y = x.exp()  # leg: saved",
            'y += 1  # error: IPA101 [certain] "before backward"  # error: IPA203',
            "reveal(y)  # revealed: version 1, saved by exp",
        )
    )
    assert case.marks == (
        Expected("leg", "program.py", 1, "saved"),
        Expected("error", "program.py", 2, "IPA101", "certain", "before backward"),
        Expected("error", "program.py", 2, "IPA203"),
        Expected("revealed", "program.py", 3, "version 1, saved by exp"),
    )


@pytest.mark.parametrize(
    "mark",
    [
        "# error IPA101",
        "# error: IPA1",
        "# error: IPA101 certain",
        "# error: IPA101 [sure]",
        "# leg: stored",
        "# error: IPA101 and more",
    ],
)
def test_what_only_looks_like_a_mark_is_refused(mark: str) -> None:
    with pytest.raises(MarkdownError, match=r"^4: not a mark"):
        literate.cases(document(f"y += 1  {mark}"))


def test_several_files_the_last_or_run_is_executed() -> None:
    text = "# T\n## c\n`run.py`:\n```python\nimport m\n```\n`m.py`:\n```python\nx = 1\n```\n"
    (case,) = literate.cases(text)
    assert (list(case.files), case.main) == (["run.py", "m.py"], "run.py")
    (case,) = literate.cases(text.replace("run.py", "a.py"))
    assert case.main == "m.py"


def test_a_driver_is_run_but_not_linted() -> None:
    blocks = "".join(f"`{name}.py`\n```python\n```\n" for name in ("m", "go", "n"))
    (case,) = literate.cases("# T\n## c\n<!-- driver: go.py -->\n" + blocks)
    assert (case.linted, case.main) == (["m.py", "n.py"], "go.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (document("x = 1") + document("x = 1").removeprefix("# T\n"), "two sections"),
        (document("x = 1", "```", "```python", "y = 1"), "stands twice"),
        (document("x = 1") + "<!-- skip: no -->\n", "unknown directive skip"),
        (document("x = 1") + "<!-- driver: run.py -->\n", "no file run.py"),
    ],
)
def test_ambiguous_documents_are_refused(text: str, message: str) -> None:
    with pytest.raises(MarkdownError, match=message):
        literate.cases(text)


def test_directives_and_sections_without_python() -> None:
    text = document("x = 1") + "<!-- xfail: later -->\n<!-- no-truth: blind -->\n## prose\nwords\n"
    (case,) = literate.cases(text)
    assert (case.name, case.xfail, case.no_truth) == ("case", "later", "blind")
