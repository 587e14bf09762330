"""Inputs through the worker that the command uses: what breaks it, and what takes it long."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from inplace_lint.runner.protocol import FileReport, Job, WorkerSettings
from inplace_lint.runner.supervisor import Worker
from tests.robust.inputs import Input

DEADLINE = 30.0
LONG = 1.0
"""Seconds after which an input is timed once more."""
BREAKAGES = ("internal error", "worker process", "longer than")
"""What the tool says of itself when it crashed, died or hung."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One input, what went wrong with it (if anything), and its seconds."""

    input: Input
    broken: str
    seconds: float
    findings: int
    steps: int

    @property
    def pace(self) -> float:
        """Seconds a line."""
        return self.seconds / (self.input.text.count("\n") + 1)


def run(inputs: Iterable[Input], folder: Path, deadline: float = DEADLINE) -> Iterator[Ran]:
    """Lint each input as the file `input.py` of a folder, one worker for all."""
    worker = Worker(WorkerSettings(), deadline)
    path = folder / "input.py"
    try:
        for each in inputs:
            job = Job(str(path), path.name, each.text.encode("utf-8", "surrogatepass"))
            report, seconds = _timed(worker, job)
            if seconds > LONG:  # perhaps only the machine was busy
                report, again = _timed(worker, job)
                seconds = min(seconds, again)
            steps = report.coverage.get("steps", 0)
            yield Ran(each, broken(report), seconds, len(report.findings), steps)
    finally:
        worker.stop()


def _timed(worker: Worker, job: Job) -> tuple[FileReport, float]:
    start = time.perf_counter()
    report = worker.run(job)
    return report, time.perf_counter() - start


def broken(report: FileReport) -> str:
    """The words of an error that only a fault of the tool's own explains."""
    told = (e.message for e in report.errors if any(word in e.message for word in BREAKAGES))
    return next(told, "")
