"""What a run costs, counted in steps and in text parsed: the same on every machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lint import harness
from inplace_lint.harness import lives
from inplace_lint.source import cst, from_text
from tests.cli.command import CLEAN, HAZARD, environment, inplace_lint

MODEL = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, depth=3, scale=None):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.scale = scale
{more}
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x).relu_()
        if mask is not None:
            x = x.masked_fill_(mask, 0)
        return self.norm(x)
"""
METHOD = """
    def method_{0}(self, x):
        x += {0}
        return self.norm(x) * {0}
"""


def cost(text: str) -> dict[str, int]:
    """Steps and paths of an analysis."""
    result = harness.analyse(from_text(text), harness.NoProject(), harness.Settings(strict=True))
    assert not result.errors
    return dict(result.coverage)


def model(methods: int) -> str:
    """A module with so many methods besides forward()."""
    return MODEL.format(more="".join(METHOD.format(n) for n in range(methods)))


def test_a_class_is_built_once_however_many_methods_it_has(monkeypatch):
    once = cost(model(20))
    monkeypatch.setattr(lives, "CHEAP", sys.maxsize)
    each_time = cost(model(20))
    assert once["paths"] == each_time["paths"]
    assert once["steps"] < each_time["steps"] / 2


def test_steps_grow_with_the_statements_and_end():
    text = "import torch\n\n\ndef f(x):\n" + "    x = x * 2\n"
    small, large = (cost(text + "    x = x * 2\n" * n + "    return x.exp_()\n") for n in (9, 90))
    assert large["steps"] < 10 * small["steps"]


def test_what_runs_out_of_steps_is_told_once_a_function():
    text = "import torch\n\n\ndef f(x):\n" + "    x = x * 2\n" * 9000 + "    return x.exp_()\n"
    result = harness.analyse(from_text(text), harness.NoProject(), harness.Settings(strict=True))
    assert [words for _, words in result.errors] == ["analysis incomplete: f ran out of steps"]


@pytest.fixture
def parsed(monkeypatch):
    """The texts that libcst is given."""
    texts: list[str] = []
    original = cst.parse

    def note(text, *rest):
        texts.append(text)
        return original(text, *rest)

    monkeypatch.setattr(cst, "parse", note)
    return texts


def test_libcst_reads_each_statement_at_most_once(parsed):
    text = model(3)
    cost(text)
    assert any("class Block" in each for each in parsed)
    assert len(parsed) == len(set(parsed))
    assert sum(map(len, parsed)) <= len(text)


RUN = """
import sys
from inplace_lint.cli.main import main
code = main(sys.argv[1:])
print(code, "libcst" in sys.modules, "multiprocessing" in sys.modules, file=sys.stderr)
"""


def in_process(*arguments: str) -> str:
    """What a command leaves loaded: exit code, libcst, multiprocessing."""
    command = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    return done.stderr.strip().splitlines()[-1]


def test_the_command_itself_never_loads_libcst(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("import os\n")
    assert in_process("check", "--no-cache", "a.py") == "0 False False"
    Path("a.py").write_text(HAZARD)
    for _ in range(2):  # by a worker, then out of the cache
        assert in_process("check", "a.py") == "1 False False"


def test_out_of_steps_is_told_but_fails_nothing_unless_strict(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    long = "\n\ndef f(x):\n" + "    x = x * 2\n" * 9000 + "    return x.exp_()\n"
    Path("a.py").write_text(CLEAN + long)
    done = inplace_lint("check", "a.py")
    assert done.returncode == 0
    assert done.stderr == "a.py:9:5: IPA002 analysis incomplete: f ran out of steps\n"
    assert inplace_lint("check", "--strict", "a.py").returncode == 1
