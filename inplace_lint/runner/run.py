"""One run: targets in, a finished and sorted `report.Run` out."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.config import decide
from inplace_lint.report.base import Run
from inplace_lint.runner.discovery import Target, discover
from inplace_lint.runner.examine import Examiner
from inplace_lint.runner.protocol import ENGINE, FileReport, Job, WorkerSettings
from inplace_lint.runner.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inplace_lint.config.options import Config
    from inplace_lint.diagnostic import Diagnostic, ToolError

DEADLINE = 60.0
"""Seconds a file may take. A backstop: the engine's budgets are counted in steps."""
_FEW = 20
"""So many files that don't matter are parsed without a worker."""
_PER_WORKER = 150_000
"""Bytes of source that are worth the start of one more worker."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to check and how. `config_of` gives the configuration in force for a path.

    `stdin` is what to check in place of the file called `paths[0]`; `jobs` 0 means: as many as
    there are cores. `coverage` measures what was executed; nothing is taken from the cache then.
    """

    paths: tuple[str, ...]
    config_of: Callable[[str], Config]
    jobs: int = 0
    stdin: bytes | str | None = None
    cached: bool = False
    progress: Callable[[int, int], None] | None = None
    deadline: float = DEADLINE
    analysis: str = ENGINE
    coverage: bool = False

    @property
    def config(self) -> Config:
        """What holds for the whole run is taken from the first path's configuration."""
        return self.config_of(self.paths[0])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run; `checked` are the files that were asked for, as they are shown."""

    run: Run
    missing: tuple[str, ...] = ()
    coverage: dict[str, int] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()


def check(request: Request) -> Outcome:
    """Do all of it."""
    targets, missing = _targets(request)
    reports = _analyse(request, targets)
    known = {} if request.stdin is None else {target.shown: request.stdin for target in targets}
    texts = Texts({target.shown: target.path for target in targets}, known)
    findings, errors = _verdict(request, reports, texts)
    run = Run(findings, errors, texts.lines, len(targets))
    coverage: Counter[str] = Counter()
    for report in reports.values():
        coverage.update(report.coverage)
    unmet = tuple(line for report in reports.values() for line in report.unmet)
    return Outcome(run, tuple(missing), dict(sorted(coverage.items())), tuple(reports), unmet)


def _verdict(
    request: Request, reports: dict[str, FileReport], texts: Texts
) -> tuple[tuple[Diagnostic, ...], tuple[ToolError, ...]]:
    if not any(r.findings or r.errors or r.comments for r in reports.values()):
        return (), ()
    from inplace_lint.runner.judge import judge

    verdict = judge(reports, request.config_of, texts)
    return verdict.findings, verdict.errors


def _analyse(request: Request, targets: Sequence[Target]) -> dict[str, FileReport]:
    """The report of each target, in order of paths; big files are begun first."""
    sizes = {target: _size(target.path) for target in targets}
    order = sorted(targets, key=lambda target: (-sizes[target], target.shown))
    jobs = [Job(str(t.path), t.shown, request.stdin, sizes[t]) for t in order]
    settings = worker_settings(request.config, request.analysis, targets)
    settings = replace(settings, coverage=request.coverage)
    if request.cached and request.stdin is None and not request.coverage:
        from inplace_lint.runner.cache import Cache

        cache = Cache(request.config.root, settings)
        return _sorted(cache.around(jobs, lambda left: _run_jobs(request, settings, left)))
    return _sorted(_run_jobs(request, settings, jobs))


def _run_jobs(
    request: Request, settings: WorkerSettings, jobs: Sequence[Job]
) -> dict[str, FileReport]:
    """The reports of jobs by path: by a few workers, or without where nothing matters."""
    examiner = Examiner(settings, lambda _: FileReport())
    if len(jobs) <= _FEW and not any(map(examiner.matters, jobs)):
        return {job.shown: examiner.check(job) for job in jobs}
    from inplace_lint.runner.supervisor import run_jobs

    count = request.jobs or min(cores(), 1 + sum(job.size for job in jobs) // _PER_WORKER)
    reports = run_jobs(jobs, settings, count, request.deadline, _progress(request, len(jobs)))
    return {job.shown: report for job, report in zip(jobs, reports, strict=True)}


def _sorted(reports: dict[str, FileReport]) -> dict[str, FileReport]:
    return dict(sorted(reports.items()))


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _targets(request: Request) -> tuple[list[Target], list[str]]:
    def excluded(path: Path, folder: bool) -> bool:
        return decide.excluded(request.config_of(str(path)), path, folder)

    def barred(path: Path) -> bool:
        config = request.config_of(str(path))
        return config.force_exclude and decide.excluded_anywhere(config, path)

    if request.stdin is not None:
        path = Path(request.paths[0])
        return [] if barred(path) else [Target(path, path.as_posix())], []
    return discover(request.paths, excluded, barred)


def worker_settings(
    config: Config, analysis: str = ENGINE, targets: Sequence[Target] = ()
) -> WorkerSettings:
    """What the workers of a run are told."""
    return WorkerSettings(
        analysis=analysis,
        confidence="possible" if decide.wants_unused(config) else config.confidence,
        target_torch=config.target_torch,
        extra_rules=config.extra_rules,
        roots=tuple(str(config.root / path) for path in config.src),
        given={os.path.realpath(target.path): target.shown for target in targets},
    )


def _progress(request: Request, total: int) -> Callable[[], None]:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if request.progress is not None:
            request.progress(count, total)

    return done


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
