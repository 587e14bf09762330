"""The oracle itself: what it says of programs whose answer is plain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import oracle
from tests.harness.oracle import Program

START = "import torch\nx = torch.ones(3, requires_grad=True)\n"
BREAKS = START + "y = x.exp()\ny += 1\ny.sum().backward()\n"
SILENT = START + "y = x.exp()\ny.data += 1\ny.sum().backward()\n"
CAUGHT = BREAKS.replace(
    "y.sum().backward()", "try:\n    y.sum().backward()\nexcept RuntimeError: 0"
)
DIES = "import os\nos.kill(os.getpid(), 9)\n"
LEAKS = "import torch\ntorch.set_grad_enabled(False)\ntorch.set_default_dtype(torch.float64)\n"


def ask(folder: Path, *programs: str, batch: int = 40) -> list[oracle.Verdict]:
    for number, text in enumerate(programs):
        (folder / f"p{number}.py").write_text(text, encoding="utf-8")
    names = [f"p{number}.py" for number in range(len(programs))]
    return oracle.ask([Program(folder, name, (name,)) for name in names], batch=batch)


def test_lines_of_a_broken_program(tmp_path: Path) -> None:
    (verdict,) = ask(tmp_path, BREAKS)
    places = (verdict.saved, verdict.mutated, verdict.backward, verdict.raised)
    assert verdict.outcome == "saved-modified"
    assert places == tuple((("p0.py", line),) for line in (3, 4, 5, 5))


def test_silent_corruption_is_seen(tmp_path: Path) -> None:
    (verdict,) = ask(tmp_path, SILENT)
    assert (verdict.outcome, verdict.message, verdict.saved) == ("silent", None, (("p0.py", 3),))


@pytest.mark.parametrize(
    ("program", "outcome", "caught"),
    [
        (START + "x.sum().backward()\n", "clean", False),
        (START + "raise SystemExit(1)\n", "clean", False),
        (START + "x += 1\n", "leaf-inplace", False),
        (START + "1 / 0\n", "other", False),
        (CAUGHT, "clean", True),
    ],
)
def test_outcomes(program: str, outcome: str, caught: bool, tmp_path: Path) -> None:
    (verdict,) = ask(tmp_path, program)
    assert (verdict.outcome, verdict.caught) == (outcome, caught)


def test_a_program_that_dies_costs_only_itself(tmp_path: Path) -> None:
    outcomes = [verdict.outcome for verdict in ask(tmp_path, BREAKS, DIES, BREAKS)]
    assert outcomes == ["saved-modified", "other", "saved-modified"]


def test_a_program_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    outcomes = [verdict.outcome for verdict in ask(tmp_path, LEAKS, BREAKS)]
    assert outcomes == ["clean", "saved-modified"]


def test_a_driver_is_run_and_lines_are_told_in_the_program(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def go(y):\n    y += 1\n", encoding="utf-8")
    driver = START + "from model import go\ny = x.exp()\ngo(y)\ny.sum().backward()\n"
    (tmp_path / "run.py").write_text(driver, encoding="utf-8")
    (verdict,) = oracle.ask([Program(tmp_path, "run.py", ("model.py", "run.py"))])
    assert (verdict.mutated, verdict.saved) == ((("model.py", 2),), (("run.py", 4),))
