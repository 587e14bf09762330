"""The work grows with the code and no faster, counted in calls of Python functions."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from inplace_lint import harness
from inplace_lint.source import from_text

BODY = "    y = x.exp()\n    y += 1\n"
HEAD = "import torch\nfrom torch import nn\n"


def repeated(text: str) -> Callable[[int], str]:
    """That text so many times, each with its number."""
    return lambda count: HEAD + "".join(text.format(n, n + 1) for n in range(count))


def branches(count: int) -> str:
    tests = "".join(f"    if a.c{n}:\n        y += 1\n" for n in range(count))
    return f"{HEAD}def f(x, a):\n    y = x.exp()\n{tests}    return y\n"


def methods(count: int) -> str:
    own = "".join(f"    def m{n}(self, x):\n        return x.exp_()\n" for n in range(count))
    return f"{HEAD}class N(nn.Module):\n{own}"


def layers(count: int) -> str:
    made = "".join(f"        self.l{n} = nn.Linear(3, 3)\n" for n in range(count))
    used = "".join(f"        x = self.l{n}(x).relu_()\n" for n in range(count))
    start = "    def __init__(self):\n        super().__init__()\n"
    used = f"    def forward(self, x):\n{used}        return x\n"
    return f"{HEAD}class N(nn.Module):\n{start}{made}{used}"


def registered(count: int) -> str:
    start = f"{HEAD}D = {{}}\ndef reg(f):\n    D[f.__name__] = f\n    return f\n"
    return start + "".join(f"@reg\ndef f{n}(x):\n{BODY}    return y\n" for n in range(count))


SHAPES: dict[str, Callable[[int], str]] = {
    "functions": repeated(f"def f{{}}(x):\n{BODY}    return y\n"),
    "chain": repeated(f"def f{{}}(x):\n{BODY}    return f{{}}(y)\n"),
    "classes": repeated(
        "class N{}(nn.Module):\n    def forward(self, x):\n        y = x.exp()\n        y += 1\n"
        "        return y\n"
    ),
    "statements": repeated("y{0} = x.exp()\ny{0} += 1\n"),
    "branches": branches,
    "methods": methods,
    "layers": layers,
    "registered": registered,
}


QUADRATIC = {"methods", "registered"}
"""What each of them may reach is looked for among all the others: cheap, but not linear."""


def calls(text: str) -> int:
    """How many Python functions an analysis calls."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        settings = harness.Settings(strict=True, steps=50_000)
        result = harness.analyse(from_text(text), harness.NoProject(), settings)
    finally:
        sys.setprofile(None)
    assert not result.errors
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_code_takes_four_times_the_work(shape: str) -> None:
    text = SHAPES[shape]
    calls(text(2))  # what is loaded once
    small, large = calls(text(40)), calls(text(160))
    assert large < (6 if shape in QUADRATIC else 4.6) * small


@pytest.mark.parametrize("count", [2, 2000])
def test_a_class_of_any_number_of_methods_is_analysed(count: int) -> None:
    file = from_text(f"{methods(count)}    def forward(self, x):\n        return x.exp().exp_()\n")
    result = harness.analyse(file, harness.NoProject(), harness.Settings(paths=1, strict=True))
    assert [story.kind for story in result.stories] == ["saved-modified"]
    assert not result.errors
    assert result.coverage["steps"] > count


def test_a_class_that_is_never_done_is_told() -> None:
    loop = "    for i in range(10):\n" + "        for j in range(10):\n            a = j\n" * 400
    file = from_text(f"{HEAD}class N(nn.Module):\n{loop}    def f(self, x):\n        x.exp_()\n")
    result = harness.analyse(file, harness.NoProject(), harness.Settings(strict=True))
    assert [words for _, words in result.errors] == ["analysis incomplete: N ran out of steps"]
