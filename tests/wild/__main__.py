"""Lint the pinned packages and compare what is found with the labels.

    python -m tests.wild --cache FOLDER [PACKAGE ...]   exit 1: new findings, or some labelled false
    python -m tests.wild --summary                      the last run's figures, as JSON
    python -m tests.wild --cache FOLDER --kept          take the reports that the cache holds

A full run takes about half an hour on two cores; what the last run of each package found is kept in
`last_run.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.wild import labels, packages
from tests.wild.labels import Label
from tests.wild.packages import Package
from tests.wild.summary import LAST, per_100k, summary

ROOT = Path(__file__).parents[2]


def main() -> int:
    """The exit code."""
    options = _options()
    if options.summary:
        sys.stdout.write(json.dumps(summary(), indent=2) + "\n")
        return 0
    chosen = [p for p in packages.pinned() if not options.packages or p.name in options.packages]
    found: list[Label] = []
    figures: dict[str, dict[str, object]] = {}
    for package in chosen:
        report, own = examine(package, options.cache, options.jobs, options.kept)
        found += own
        figures[package.name] = report
        sys.stdout.write(f"{package.slug}: {len(own)} in {report['lines']} lines\n")
    names = {package.name for package in chosen}
    known = [label for label in labels.read() if label.package in names]
    new, gone, met = labels.compare(found, known)
    tell(new, gone, met, sum(int(str(f["lines"])) for f in figures.values()))
    keep(figures)
    return 1 if new or any(label.label == "false" for label in met) else 0


def keep(figures: dict[str, dict[str, object]]) -> None:
    """Figures of the packages that were run; the others' stay as they were."""
    known = json.loads(LAST.read_text(encoding="utf-8"))["packages"]
    pins = [package.name for package in packages.pinned()]
    latest = {**known, **figures}
    ordered = {name: latest[name] for name in pins if name in latest}
    LAST.write_text(json.dumps({"packages": ordered}, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="these alone")
    parser.add_argument("--cache", type=Path, default=Path(".wild"), help="where wheels lie")
    parser.add_argument("--jobs", "-j", type=int, default=2)
    parser.add_argument("--kept", action="store_true", help="reuse the reports in the cache")
    parser.add_argument("--summary", action="store_true", help="print the last run's figures")
    return parser.parse_args()


def examine(
    package: Package, cache: Path, jobs: int, kept: bool
) -> tuple[dict[str, object], list[Label]]:
    """A package's figures and the findings of the default confidence, as labels to be."""
    folder = packages.tree(package, cache)
    report = cache.absolute() / "reports" / f"{package.slug}.json"
    if not (kept and report.is_file()):
        report.parent.mkdir(parents=True, exist_ok=True)
        _lint(folder, report, jobs)
    told = json.loads(report.read_text(encoding="utf-8"))
    shown = [f for f in told["findings"] if f["confidence"] in {"certain", "likely"}]
    figures: dict[str, object] = {
        "version": package.version,
        "lines": packages.count_lines(folder),
        "findings": len(shown),
        "possible": len(told["findings"]) - len(shown) - _tool(told["findings"]),
        "incomplete": len(told["errors"]),
        "internal": sum("internal error" in error["message"] for error in told["errors"]),
    }
    return figures, [labels.sketch(package.name, folder, finding) for finding in shown]


def _tool(findings: Sequence[dict[str, object]]) -> int:
    """Findings about files rather than tensors."""
    return sum(finding["confidence"] is None for finding in findings)


def _lint(folder: Path, report: Path, jobs: int) -> None:
    """Run the command over the package, from where none of its files can be imported."""
    options = ("--isolated", "--no-cache", "--quiet", "--confidence", "possible")
    output = ("--format", "json", "--output-file", str(report), "-j", str(jobs))
    command = [
        sys.executable,
        "-m",
        "inplace_lint",
        "check",
        str(folder.absolute()),
        *options,
        *output,
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{folder.name}: the linter ended with {done.returncode}")


def tell(new: Iterable[Label], gone: Iterable[Label], met: Sequence[Label], lines: int) -> None:
    """Print what is new, what is gone, and how much is found."""
    for word, which in (("new", new), ("gone", gone)):
        for label in which:
            sys.stdout.write(f"{word}: {json.dumps(asdict(label), ensure_ascii=False)}\n")
    shares = Counter(label.label for label in met)
    sys.stdout.write(f"{lines:,} lines, {len(met)} labelled findings met\n")
    for kind in labels.KINDS:
        rate = per_100k(shares[kind], lines)
        sys.stdout.write(f"{kind}: {shares[kind]}, {rate} in 100,000 lines\n")


if __name__ == "__main__":
    sys.exit(main())
