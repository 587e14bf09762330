"""What a run may cost, measured beside what it is compared with; by hand, never in the tests.

    python -m tests.bench.budgets [TREE ...]

Without a tree: as in `compare`. Every measurement is the best of `--rounds`, taken by turns, in CPU
seconds of a process and its children, but for the speed-up of two workers, which is wall clock and
wants a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.compare import CONTENDERS, as_installed, cpu_seconds, fetch

CHECK = (sys.executable, "-m", "inplace_lint", "check", "--isolated", "--quiet")
PLAIN = "import os\n\n\ndef f(x):\n    return x + 1\n"
TORCH = """\
import torch

x = torch.zeros(3, requires_grad=True)
y = x.exp()
y += 1
y.sum().backward()
"""
MODULE = "import torch\n\n\ndef f{0}(x):\n    y = x.exp()\n    y += 1\n    return y\n"
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A budget: what is measured, how much it may be, and how much it is."""

    what: str
    most: str
    measured: str


def best(rounds: int, *of: Callable[[], float]) -> list[float]:
    """The best of several measurements of each, by turns."""
    taken = [[one() for one in of] for _ in range(rounds)]
    return [min(column) for column in zip(*taken, strict=True)]


def cpu(*command: str) -> Callable[[], float]:
    """The CPU seconds of a command."""
    return lambda: cpu_seconds(command)


def wall(*command: str) -> Callable[[], float]:
    """Its seconds by the clock."""

    def measure() -> float:
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        return time.perf_counter() - start

    return measure


def python(program: str) -> Callable[[], float]:
    """The CPU seconds of a program."""
    return cpu(sys.executable, "-c", program)


def small_files(rounds: int, folder: Path) -> list[Row]:
    """One small file, without torch and with it."""
    rows = []
    for name, text, beside, most in (
        ("without torch", PLAIN, "import ast, json, argparse", 3.0),
        ("with torch", TORCH, "import libcst", 1.8),
    ):
        file = folder / f"{name.replace(' ', '_')}.py"
        file.write_text(text)
        mine, other = best(rounds, cpu(*CHECK, "--no-cache", str(file)), python(beside))
        rows.append(Row(f"small file {name} / {beside!r}", f"{most}", f"{mine / other:.2f}"))
    return rows


def cached(rounds: int, trees: Sequence[str], folder: Path) -> Row:
    """An unchanged tree once more, beside a bare parse of it by libcst."""
    os.chdir(folder)
    again = cpu(*CHECK, *trees)
    again()
    parse = cpu(sys.executable, *CONTENDERS["libcst.parse_module"], *trees)
    mine, other = best(rounds, again, parse)
    return Row("cached rerun / libcst.parse_module", f"{1 / 40}", f"{mine / other:.3f}")


def memory(trees: Sequence[str]) -> Row:
    """The peak of the biggest process."""
    command = [sys.executable, "-c", PEAK, *CHECK, "--no-cache", "-j1", *trees]
    done = subprocess.run(command, capture_output=True, check=True)
    return Row("memory of a worker, MB", "300", f"{int(done.stdout) / 1024:.0f}")


def speed_up(rounds: int, trees: Sequence[str]) -> Row:
    """Two workers instead of one."""
    one, two = best(rounds, *(wall(*CHECK, "--no-cache", f"-j{n}", *trees) for n in (1, 2)))
    return Row("speed-up of -j2 (at least)", "1.8", f"{one / two:.2f}")


def growth(rounds: int, folder: Path) -> list[Row]:
    """A file more of a project, and a function more of a file, where there are 10 and 100 times."""
    rows = []
    for what, write in (("file", _files), ("function", _functions)):
        counts = (20, 200, 2000)
        targets = [write(folder / f"{what}{count}", count) for count in counts]
        times = best(rounds, *(cpu(*CHECK, "--no-cache", "-j1", str(each)) for each in targets))
        each = [
            (b - a) / (m - n)
            for a, b, n, m in zip(times, times[1:], counts, counts[1:], strict=False)
        ]
        rows.append(
            Row(f"a {what} more at 100 times / at 10 times", "1.2", f"{each[1] / each[0]:.2f}")
        )
    return rows


def _files(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"m{number}.py").write_text(MODULE.format(number))
    return folder


def _functions(path: Path, count: int) -> Path:
    file = path.with_suffix(".py")
    file.write_text("".join(map(MODULE.format, range(count))))
    return file


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trees", nargs="*", metavar="TREE")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    as_installed()
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trees = [str(Path(tree).absolute()) for tree in options.trees] or [str(fetch(folder))]
        rows = small_files(options.rounds, folder) + growth(options.rounds, folder)
        rows += [
            cached(options.rounds, trees, folder),
            memory(trees),
            speed_up(options.rounds, trees),
        ]
    sys.stdout.write("| | at most | measured |\n|---|---|---|\n")
    for row in rows:
        sys.stdout.write(f"| {row.what} | {row.most} | {row.measured} |\n")


if __name__ == "__main__":
    main()
