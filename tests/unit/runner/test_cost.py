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


def test_a_factory_that_only_names_a_class_is_not_parsed(parsed):
    cost(model(0) + "\n\ndef build(width=4):\n    return Block(width)\n")
    assert any("class Block" in each for each in parsed)
    assert not any("def build" in each for each in parsed)


WAYS_OUT = """\
import torch


def f(x, mode):
    y = x.exp()
    if mode == 1:
        return y * 2
    if mode == 2:
        return {last}
    return y.mul_(2)
"""


def test_ways_out_are_no_paths_once_all_writes_are_met():
    assert cost(WAYS_OUT.format(last="y * 3"))["paths"] == 1
    assert cost(WAYS_OUT.format(last="y.add_(3)"))["paths"] > 1


COLD = """\
import torch
from torch import nn

names = {"a": 1}


class Block(nn.Module):
    def __init__(self, width, depths=(2, 2), act=None):
        super().__init__()
        self.cache, count = {}, 0
        for depth in depths:
            count += depth
        self.layers = nn.Sequential(*[nn.Linear(width, width) for _ in range(count)])
        nn.init.zeros_(self.layers[0].weight)

    def forward(self, x, inplace: bool = False):
        mask = x.new_empty(x.shape)
        mask.bernoulli_(0.5)
        self.cache["last"] = mask
        return self.layers(x) * mask


def build(width: int = 4) -> nn.Module:
    return Block(width)
"""


def test_what_cannot_write_is_not_parsed(parsed):
    assert cost(COLD).get("paths", 0) == 0
    assert parsed == []
    cost(COLD.replace("self.layers(x) * mask", "self.layers(x).exp().add_(1)"))
    assert parsed


BARE = """
import sys
from inplace_lint import harness, source
harness.analyse(source.from_text(sys.argv[1]), harness.NoProject())
print("libcst" in sys.modules)
"""


def test_what_cannot_write_loads_no_libcst():
    for text, loads in ((COLD, "False"), (model(0), "True")):
        command = [sys.executable, "-c", BARE, text]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == loads


ACTIVATION = """\
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.act(x.sin()).cos().sin().cos().sin().cos().sin().cos()
        {}
        return x.sin().cos().sin().cos()
"""


def test_a_call_that_leaves_nothing_behind_is_made_once():
    pure = ACTIVATION.format("")
    kept = ACTIVATION.format("self.last = x")
    assert cost(pure)["steps"] * 3 < cost(kept)["steps"] * 2


def test_optional_arguments_of_a_constructor_are_no_reason_for_a_path():
    text = model(0).replace(", mask=None", "").replace("        if mask is not None:\n", "")
    text = text.replace("            x = x.masked_fill_(mask, 0)\n", "")
    assert "scale=None" in text
    assert cost(text)["paths"] == 1
    assert cost(model(0))["paths"] > 1


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
