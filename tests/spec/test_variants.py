"""The verdict on a literate program stays when the program is written differently.

Each change keeps the meaning: the marks move with their lines, and the linter has to follow.
"""

from __future__ import annotations

import functools
import re
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import literate
from tests.harness.linting import lint
from tests.harness.literate import Case
from tests.harness.matching import mismatches

DOCUMENTS = sorted(Path(__file__).parent.glob("*.md"))


def in_a_function(text: str) -> str:
    """Everything is local to a function that is called once."""
    return f"def main():\n{textwrap.indent(text, '    ')}\n\nmain()\n"


def in_a_loop_of_one_round(text: str) -> str:
    """Everything runs in a loop with one item."""
    return f"for _round in [0]:\n{textwrap.indent(text, '    ')}"


def under_a_condition_that_holds(text: str) -> str:
    """Everything stands under `if True`."""
    return f"if True:\n{textwrap.indent(text, '    ')}"


def as_a_method(text: str) -> str:
    """Everything is the body of a method."""
    body = textwrap.indent(text, "        ")
    return f"class Script:\n    def run(self):\n{body}\n\nScript().run()\n"


def with_torch_renamed(text: str) -> str:
    """torch is imported under another name."""
    renamed = re.sub(r"\btorch\.(?!nn\.functional as|func import|utils)", "pt.", text)
    kept = re.sub(r"^(from|import) pt\.", r"\1 torch.", renamed, flags=re.MULTILINE)
    return re.sub(r"^import torch$", "import torch as pt", kept, flags=re.MULTILINE)


VARIANTS: tuple[Callable[[str], str], ...] = (
    in_a_function,
    in_a_loop_of_one_round,
    under_a_condition_that_holds,
    as_a_method,
    with_torch_renamed,
)


@functools.cache
def right(document: Path) -> tuple[Case, ...]:
    """The one-file programs of a document that are answered rightly as they stand."""
    found = literate.cases(document.read_text(encoding="utf-8"))
    plain = [c for c in found if [*c.files] == ["program.py"] and "global " not in c.files[c.main]]
    return tuple(case for case in plain if not differences(case))


def differences(case: Case) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return mismatches(case, lint(case, Path(folder)))


def rewritten(case: Case, variant: Callable[[str], str]) -> Case:
    text = variant(case.files[case.main])
    compile(text, case.name, "exec")
    (found,) = literate.cases(f"# T\n## {case.name}\n```python\n{text}```\n")
    return found


def changed_verdicts(document: Path, variant: Callable[[str], str]) -> list[str]:
    """The programs whose variant is answered otherwise, with what differs."""
    answers = [(case.name, differences(rewritten(case, variant))) for case in right(document)]
    return ["\n".join([name, *wrong]) for name, wrong in answers if wrong]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__)
def test_the_verdict_stays(document: Path, variant: Callable[[str], str]) -> None:
    changed = changed_verdicts(document, variant)
    assert not changed, "\n".join(changed)


def test_another_meaning_is_noticed() -> None:
    document = Path(__file__).parent / "results.md"
    changed = changed_verdicts(document, lambda text: text.replace(".exp()", ".neg()"))
    assert [words.partition("\n")[0] for words in changed] == [
        "exp keeps its result",
        "restoring the value does not restore the version",
    ]
