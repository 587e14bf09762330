"""Rewrite the corpus in every way and print where the linter's verdict changes.

python -m tests.metamorphic [--only NAME] [--case NAME] [--count N] [--show] [--confirm]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from tests.metamorphic.judge import Changed, changed, pairs, rewritten


def main() -> int:
    """0 when every verdict stays, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="rewritings whose name holds this")
    parser.add_argument("--case", default="", help="cases whose name holds this")
    parser.add_argument("--count", type=int, help="so many pairs, chosen by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the programs too")
    parser.add_argument("--confirm", action="store_true", help="leave out what PyTorch denies")
    options = parser.parse_args()
    chosen = [p for p in pairs() if options.only in p[1] and options.case in p[0].name]
    random.Random(options.seed).shuffle(chosen)
    applied, lost = Counter[str](), Counter[str]()
    for case, name in chosen[: options.count]:
        applied[name] += rewritten(case, name) is not None
        one = changed(case, name)
        if one is None or (options.confirm and not _is_confirmed(one)):
            continue
        lost[name] += 1
        sys.stdout.write(f"{_shown(one) if options.show else one}\n")
        sys.stdout.flush()
    for name, count in lost.most_common():
        sys.stdout.write(f"{name}: {count} of {applied[name]}\n")
    sys.stdout.write(f"{lost.total()} of {applied.total()} verdicts change\n")
    return int(bool(lost))


def _is_confirmed(one: Changed) -> bool:
    from tests.metamorphic.meaning import kept

    return kept(one)


def _shown(one: Changed) -> str:
    texts = [f"# {name}\n{text}" for name, text in one.texts.items()]
    return "\n".join([str(one), *texts])


if __name__ == "__main__":
    sys.exit(main())
