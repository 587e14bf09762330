"""The scoreboard of README: how much is found, and how much of what is said is right.

    python -m tests.scoreboard            print it
    python -m tests.scoreboard --write    and put it into README

The corpus is linted anew; what the long runs by hand gave (`tests.fuzz`, `tests.real`,
`tests.wild`) is read from the `last_run.json` that each of them leaves behind.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from tests.fuzz import tally
from tests.harness import corpus
from tests.harness.corpus import Case, Marks
from tests.real import score
from tests.wild import summary as wild_summary

README = Path(__file__).parents[1] / "README.md"
PLACE = re.compile(r"(?<=<!-- scoreboard -->\n).*?(?=<!-- end of scoreboard -->)", re.DOTALL)
QUIET = ("clean", "other")
"""Outcomes of programs that PyTorch runs without complaint, or that fail for another reason."""
MODES = {"with a driver": False, "alone": True}
Answers = dict[Case, Marks]


def board() -> str:
    """The tables, in Markdown."""
    answers = {mode: _answers(alone) for mode, alone in MODES.items()}
    parts = (_by_kind(answers, tally.summary()), _in_all(answers), _in_the_wild())
    return "\n" + "\n".join(parts) + "\n"


def _answers(alone: bool) -> Answers:
    with tempfile.TemporaryDirectory() as folder:
        return corpus.answers(Path(folder), alone)


def _by_kind(answers: dict[str, Answers], fuzzed: dict[str, Any]) -> str:
    """Hazards found, by the kind of PyTorch's complaint."""
    kinds = {case.outcome for one in answers.values() for case in one} | {*fuzzed["outcomes"]}
    rows = [["kind", *(f"corpus, {mode}" for mode in answers), "fuzzed"]]
    for kind in sorted(kinds.difference(QUIET)):
        cells = [_of(m.found for m in _of_kind(one, kind)) for one in answers.values()]
        seen = fuzzed["outcomes"].get(kind)
        rows.append([f"`{kind}`", *cells, _share(seen["found"], seen["programs"]) if seen else ""])
    return _table(rows)


def _of_kind(answers: Answers, kind: str) -> list[Marks]:
    return [marks for case, marks in answers.items() if case.outcome == kind]


def _in_all(answers: dict[str, Answers]) -> str:
    """All kinds together: found, of the right kind, with the right lines; alarms in right code."""
    rows = [["programs", "found", "right kind", "right lines", "false alarms"]]
    rows += [[f"corpus, {mode}", *_cells(one)] for mode, one in answers.items()]
    run = tally.summary()
    found = sum(one["found"] for one in run["outcomes"].values())
    legs = _share(run["legs"] - run["wrong_legs"], run["legs"])
    quiet = run["programs"] - run["broken"]
    told = _share(run["false_alarms"], quiet)
    rows.append(["fuzzed", _share(found, run["broken"]), "", legs, told])
    fixes = score.summary()
    told = _share(fixes["false"], fixes["rows"])
    rows.append(["public fixes", _share(fixes["found"], fixes["bugs"]), "", "", told])
    return _table(rows)


def _cells(answers: Answers) -> list[str]:
    breaking = [marks for case, marks in answers.items() if case.outcome not in QUIET]
    found = [marks for marks in breaking if marks.found]
    legs = [marks.right_legs for marks in found if marks.right_legs is not None]
    clean = _of_kind(answers, "clean")
    return [
        _share(len(found), len(breaking)),
        _of(marks.right_kind for marks in found),
        _of(legs),
        _of(bool(marks.alarms) for marks in clean),
    ]


def _in_the_wild() -> str:
    """One sentence about the published packages."""
    run: dict[str, Any] = wild_summary.summary()
    labels = run["labels"]
    return (
        f"In {run['packages']} published packages ({run['lines']:,} lines) it reports"
        f" {run['findings']} hazards, {run['findings per 100,000 lines']} in 100,000 lines:"
        f" {labels['true']} true, {labels['conditional']} true under the assumption that they"
        f" name, {labels['false']} false.\n"
    )


def _of(verdicts: Iterable[bool]) -> str:
    counted: Collection[bool] = list(verdicts)
    return _share(sum(counted), len(counted)) if counted else ""


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}"


def _table(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])


def main() -> int:
    """Print the tables or write them into README."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put them into README")
    text = board()
    if parser.parse_args().write:
        known = README.read_text(encoding="utf-8")
        README.write_text(PLACE.sub(lambda _: text, known), encoding="utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
