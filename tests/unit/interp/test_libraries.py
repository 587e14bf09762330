"""The files that tell what other libraries do: each is found, read and lowered."""

from __future__ import annotations

import ast

import pytest

from inplace_lint import lower
from inplace_lint.interp import libraries
from inplace_lint.opdb.load import folder

STEMS = sorted(path.stem for path in (folder() / "library").glob("*.py"))


def test_every_file_belongs_to_a_library() -> None:
    named = {stem for known in libraries.PREFIXES.values() for _, stem in known}
    assert sorted(named) == STEMS


@pytest.mark.parametrize("stem", STEMS)
def test_a_file_is_read_and_lowered(stem: str) -> None:
    file = libraries.source_of(stem)
    assert file.error is None
    for unit in file.units:
        assert lower.lower_unit(unit).unit is unit


@pytest.mark.parametrize("stem", STEMS)
def test_a_file_is_python(stem: str) -> None:
    tree = ast.parse(libraries.source_of(stem).text)
    assert ast.get_docstring(tree)
