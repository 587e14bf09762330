"""Score the linter on public commits that fixed an in-place autograd error.

python -m tests.real --mirror DIR [--out DIR] [--facts FILE] [NAME ...]

DIR holds each repository with its history as OWNER+NAME/repo (a git directory, or one with .git).
The code is other people's: it is laid out, linted and never kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.real.lay import lay
from tests.real.rows import FACTS, load
from tests.real.score import LAST, Scored, score, totals


def main() -> int:
    """0 when every bug that could be laid out is found and nothing false is said."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        scored = _score_all(options, options.out or Path(scratch))
    figures = totals(scored)
    if options.facts == FACTS and not options.names:
        LAST.write_text(f"{json.dumps(figures)}\n", encoding="utf-8")
    said = "found {found}/{bugs}; rows with a false finding {false}/{rows}"
    sys.stdout.write(f"{said.format(**figures)}\n")
    return int(any(one.false or one.row.is_bug > one.found for one in scored))


def _score_all(options: argparse.Namespace, out: Path) -> list[Scored]:
    scored = []
    for row in load(options.facts):
        if options.names and not any(name in row.slug for name in options.names):
            continue
        if not lay(row, options.mirror, out):
            sys.stdout.write(f"no mirror of {row.repo}\n")
            continue
        scored.append(score(row, out))
        sys.stdout.write(f"{scored[-1].line}\n")
        sys.stdout.flush()
    return scored


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mirror", type=Path, required=True, help="where the repositories are")
    parser.add_argument("--out", type=Path, help="where to lay the trees out; kept when given")
    parser.add_argument("--facts", type=Path, default=FACTS, help="another file of rows")
    parser.add_argument("names", nargs="*", help="only rows whose slug holds one of these")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
