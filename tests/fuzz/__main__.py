"""Judge programs by the thousand and print those on which PyTorch and the linter differ.

python -m tests.fuzz [--kind lines] [--seed 0] [--count 2000] [--show 20] [--shrink] [--store]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.judge import KINDS, Judged, judge
from tests.fuzz.shrink import shrink
from tests.fuzz.tally import LAST, Tally

CHUNK = 400


def main() -> int:
    """0 when both agree on every program, else 1."""
    options = _options()
    warnings.simplefilter("ignore")
    tally, wrong = Tally(), 0
    for kind in [options.kind] if options.kind else sorted(KINDS):
        for judged in _chunks(kind, options.seed, options.count):
            tally.add(judged)
            faults = [one for one in judged if one.wrong]
            _show(options, kind, faults[: max(options.show - wrong, 0)])
            wrong += len(faults)
    sys.stdout.write(f"{tally.table()}\n")
    if options.store:
        LAST.write_text(json.dumps(tally.as_json(), indent=2) + "\n", encoding="utf-8")
    return int(bool(wrong))


def _show(options: argparse.Namespace, kind: str, faults: list[Judged]) -> None:
    for one in faults:
        shown = _shrunk(one) if options.shrink else one
        sys.stdout.write(f"{kind} {shown}\n\n")
        sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kind", choices=sorted(KINDS), help="one kind of program; else all")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=2000, help="programs of each kind")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print")
    parser.add_argument("--shrink", action="store_true", help="print them as short as they get")
    parser.add_argument("--store", action="store_true", help=f"keep the figures in {LAST.name}")
    return parser.parse_args()


def _chunks(kind: str, first: int, count: int) -> Iterator[list[Judged]]:
    for start in range(first, first + count, CHUNK):
        with tempfile.TemporaryDirectory() as folder:
            stop = min(start + CHUNK, first + count)
            yield judge(range(start, stop), Path(folder), kind)


def _shrunk(judged: Judged) -> Judged:
    return dataclasses.replace(shrink(judged), seed=judged.seed)


if __name__ == "__main__":
    sys.exit(main())
