"""Ignore comments: which are read, and which findings they silence."""

from __future__ import annotations

import pytest

from inplace_lint.diagnostic import Diagnostic, Span
from inplace_lint.suppress import read_ignores, unused


def finding(line: int, code: str = "IPA101") -> Diagnostic:
    span = Span("m.py", line, 1, line, 2)
    return Diagnostic(span, code, "", "saved-modified", "certain", "", None, (), "")


def silenced(text: str, line: int, code: str = "IPA101") -> bool:
    return bool(read_ignores(text).of(finding(line, code)))


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NOQA",
        "#noqa",
        "# noqa : IPA101",
        "# noqa: IPA101",
        "# noqa:IPA101",
        "# noqa: E501, IPA101",
        "# noqa: E501 IPA1",
        "# noqa: ipa101",
        "# noqa: IPA101 because it is fine",
        "# NOSONAR # noqa: IPA101",
        "# inplace-lint: ignore[IPA101]",
        "# inplace-lint: ignore[IPA101] warm-up buffer, never differentiated",
        "# inplace-lint:ignore[IPA1,IPA2]",
        "# type: ignore # inplace-lint: ignore[IPA101]",
    ],
)
def test_comments_that_silence(comment):
    assert silenced(f"y.add_(1)  {comment}\n", 1)
    assert not silenced(f"y.add_(1)  {comment}\n\nz.add_(1)\n", 3)


@pytest.mark.parametrize(
    "text",
    [
        "y.add_(1)  # noqa: E501",
        "y.add_(1)  # noqa: IPA102",
        "y.add_(1)  # noqa-me",
        "y.add_(1)  # noqaish",
        "y.add_(1)  # inplace-lint: ignore[IPA102]",
        "y.add_('# noqa')",
        "y.add_(1)  # see noqua",
        "y.add_(1)  # inplace-lint: ignore-file[IPA101]",
    ],
)
def test_comments_that_do_not(text):
    assert not silenced(text + "\n", 1)


def test_first_reported_and_last_line_of_a_statement_count_and_no_other():
    lines = ["y.add_(", "    1,", "    2,", "    3,", ")"]
    for noted in range(5):
        text = "\n".join(
            line + ("  # noqa: IPA101" if at == noted else "") for at, line in enumerate(lines)
        )
        assert silenced(text + "\n", 3) == (noted in {0, 2, 4})


def test_an_own_line_is_for_the_next_statement():
    text = "# inplace-lint: ignore[IPA101] reason\n\ny.add_(\n  1)\nz.add_(1)\n"
    assert silenced(text, 3)
    assert silenced(text, 4)
    assert not silenced(text, 5)


def test_a_block_is_not_silenced_by_its_header():
    text = "with a:  # noqa\n    y.add_(1)\n"
    assert silenced(text, 1)
    assert not silenced(text, 2)


def test_file_wide():
    text = "x = 1\n# inplace-lint: ignore-file[IPA2] generated\n"
    assert silenced(text, 1, "IPA201")
    assert not silenced(text, 1, "IPA101")
    assert silenced("# inplace-lint: ignore-file\nx = 1\n", 2, "IPA501")


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("# inplace-lint: ignore", "name the codes"),
        ("# inplace-lint: ignore[]", "name the codes"),
        ("# inplace-lint: ignore[IPA9999]", "unknown code IPA9999"),
        ("# inplace-lint: ignore[E501]", "unknown code E501"),
        ("# inplace-lint: ignroe[IPA101]", "expected `ignore[CODE] reason`"),
        ("# inplace-lint: disable=IPA101", "expected `ignore[CODE] reason`"),
        ("# inplace-lint: ignore-file[IPA101]", "on a line of its own"),
    ],
)
def test_malformed_ones_are_told(comment, words):
    found = read_ignores(f"x = 1\ny = 1  {comment}\n")
    assert found.comments == []
    ((line, column, told),) = found.malformed
    assert (line, column) == (2, 8)
    assert words in told


def test_prose_about_the_tool_is_no_directive():
    assert read_ignores("# we run inplace-lint here\n# inplace-lint is fine\n").malformed == []


def test_unused_ones():
    text = "a  # noqa\nb  # noqa: E501\nc  # noqa: E501, IPA1\nd  # inplace-lint: ignore[IPA101]\n"
    ignores = read_ignores(text)
    assert [comment.line for comment, _ in unused(ignores, set())] == [3, 4]
    assert unused(ignores, set(ignores.comments)) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    assert silenced(end.join(["x = 1", "y.add_(1)  # noqa", ""]), 2)


def test_a_text_that_cannot_be_tokenized_is_read_line_by_line():
    assert silenced("x = (\ny.add_(1)  # noqa\n", 2)
    assert silenced("if x:\n    a\n  b\ny.add_(1)  # noqa\n", 4)
