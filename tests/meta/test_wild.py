"""The labels of the run over published packages stand on reproductions, and its figures add up."""

from __future__ import annotations

import json
from pathlib import Path

from tests.harness import literate
from tests.wild import labels, packages
from tests.wild.summary import LAST, summary

REPRODUCTIONS = Path(__file__).parents[1] / "spec" / "wild" / "reproductions.md"


def test_what_is_so_is_reproduced_and_nothing_else_is() -> None:
    shown = {case.name for case in literate.cases(REPRODUCTIONS.read_text(encoding="utf-8"))}
    told = {label.reproduction for label in labels.read() if label.label != "false"}
    assert told == shown


def test_labels_are_verdicts_on_pinned_packages() -> None:
    pins = {package.name for package in packages.pinned()}
    for label in labels.read():
        assert label.label in labels.KINDS and label.reason, label
        assert label.package in pins and label.confidence in {"certain", "likely"}, label


def test_every_finding_of_the_last_run_is_labelled() -> None:
    figures = json.loads(LAST.read_text(encoding="utf-8"))["packages"]
    for name, figure in figures.items():
        known = [label for label in labels.read() if label.package == name]
        assert len(known) == figure["findings"], name
    assert summary()["findings"] == sum(figure["findings"] for figure in figures.values())
