"""CPU seconds of the linter beside other readers of the same files; by hand, never in the tests.

    python -m tests.bench.compare [TREE ...]

Without a tree: timm 1.0.22 and kornia 0.8.2, fetched from the package index. Every contender runs
in a process of its own, `--rounds` times by turns (machines drift), and its best time counts. The
ratio is to a bare `libcst.parse_module` over the same files.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

WHEELS = ("timm==1.0.22", "kornia==0.8.2")

PARSE = """
import pathlib, sys
{imports}
for tree in sys.argv[1:]:
    for path in sorted(pathlib.Path(tree).rglob("*.py")):
        {parse}(path.read_bytes())
"""

FLAKE8 = """
import sys
from importlib import metadata
found = metadata.distributions
metadata.distributions = lambda: (d for d in found() if d.name != "inplace-lint")
from flake8.main.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""flake8 as it comes: without this package's own plugin."""

CONTENDERS: Mapping[str, Sequence[str]] = {
    "ast.parse": ("-c", PARSE.format(imports="import ast", parse="ast.parse")),
    "libcst.parse_module": (
        "-c",
        PARSE.format(imports="import libcst", parse="libcst.parse_module"),
    ),
    "flake8": ("-c", FLAKE8, "--jobs", "1", "--isolated"),
    "inplace-lint -j1": ("-m", "inplace_lint", "check", "--no-cache", "--isolated", "-j", "1"),
}
REFERENCE = "libcst.parse_module"


def fetch(folder: Path) -> Path:
    """The pinned wheels, unpacked."""
    options = ("--no-deps", "--quiet", "--dest", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *WHEELS], check=True)
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder / "tree")
    return folder / "tree"


def as_installed() -> None:
    """Let Python keep bytecode, as pip does where it installs; some machines forbid it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def cpu_seconds(command: Sequence[str]) -> float:
    """User and system time of a command and all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command[:4])} ended with {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(trees: Sequence[str], rounds: int) -> dict[str, float]:
    """The best time of each contender."""
    best = dict.fromkeys(CONTENDERS, float("inf"))
    for _ in range(rounds):
        for name, command in CONTENDERS.items():
            best[name] = min(best[name], cpu_seconds([sys.executable, *command, *trees]))
    return best


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trees", nargs="*", metavar="TREE")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    as_installed()
    with tempfile.TemporaryDirectory() as folder:
        trees = options.trees or [str(fetch(Path(folder)))]
        files = [file for tree in trees for file in Path(tree).rglob("*.py")]
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        best = measure(trees, options.rounds)
    rows = [f"{len(files)} files, {lines:,} lines", "", "| | CPU s | ratio |", "|---|---|---|"]
    rows += [
        f"| {name} | {seconds:.1f} | {seconds / best[REFERENCE]:.2f} |"
        for name, seconds in best.items()
    ]
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
