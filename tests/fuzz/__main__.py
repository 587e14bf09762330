"""Judge programs by the thousand and print those on which PyTorch and the linter differ.

python -m tests.fuzz [--kind lines] [--seed 0] [--count 2000] [--show 20]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.judge import KINDS, figures, judge


def main() -> int:
    """0 when both agree on every program, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kind", choices=sorted(KINDS), default="lines")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--show", type=int, default=20, help="how many differences to print")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(options.seed, options.seed + options.count)
        judged = judge(seeds, Path(folder), options.kind)
    wrong = [j for j in judged if j.wrong]
    shown = "\n\n".join(map(str, wrong[: options.show]))
    sys.stdout.write(f"{shown}\n\n{figures(judged)}\n" if wrong else f"{figures(judged)}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
