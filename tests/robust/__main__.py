"""Lint inputs by the thousand; print what crashes, hangs, or is slow for its length.

python -m tests.robust [--seed 0] [--count 20000] [--from FOLDER]... [--save FOLDER]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.robust.inputs import Sources
from tests.robust.run import Ran, run

SLOW = 100
"""An input that takes so many times the median a line is looked at."""
SECONDS = 2.0
"""... unless it is done in this time."""


def main() -> int:
    """0 when nothing broke, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--from", dest="folders", type=Path, action="append", default=[])
    parser.add_argument("--save", type=Path, help="where broken and slow inputs are kept")
    options = parser.parse_args()
    sources = Sources(options.folders)
    seeds = range(options.seed, options.seed + options.count)
    with tempfile.TemporaryDirectory() as folder:
        ran = []
        for one in run(map(sources.input, seeds), Path(folder)):
            ran.append(one)
            if one.broken:
                _tell(one, one.broken, options.save)
    paces = statistics.median(one.pace for one in ran)
    slow = [one for one in ran if one.pace > SLOW * paces and one.seconds > SECONDS]
    for one in slow:
        _tell(one, f"{one.seconds:.1f} s, {one.pace / paces:.0f} times the median", options.save)
    broken = Counter(one.broken for one in ran if one.broken)
    analysed = sum(one.steps > 0 for one in ran)
    sys.stdout.write(
        f"{len(ran)} inputs ({analysed} reached the interpreter, {sum(o.findings for o in ran)} "
        f"findings): {broken.total()} broke it, {len(slow)} were slow\n"
    )
    return int(bool(broken or slow))


def _tell(one: Ran, words: str, save: Path | None) -> None:
    sys.stdout.write(f"seed {one.input.seed} ({one.input.origin}): {words}\n")
    sys.stdout.flush()
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        (save / f"{one.input.seed}.py").write_text(one.input.text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
