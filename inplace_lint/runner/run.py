"""One run: targets in, a finished and sorted `report.Run` out."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.checks.wording import merge
from inplace_lint.config import decide
from inplace_lint.diagnostic import Diagnostic, Span, ToolError
from inplace_lint.report.base import Run
from inplace_lint.runner.discovery import Target, discover
from inplace_lint.runner.protocol import ENGINE, Job, WorkerSettings
from inplace_lint.runner.supervisor import run_jobs
from inplace_lint.runner.texts import Texts
from inplace_lint.suppress import Ignore, Ignores, read_ignores, unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inplace_lint.config.options import Config
    from inplace_lint.runner.protocol import FileReport

DEADLINE = 60.0
"""Seconds a file may take. A backstop: the engine's budgets are counted in steps."""
_PER_WORKER = 150_000
"""Bytes of source that are worth the start of one more worker."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to check and how. `config_of` gives the configuration in force for a path.

    `stdin` is what to check in place of the file called `paths[0]`; `jobs` 0 means: as many as
    there are cores.
    """

    paths: tuple[str, ...]
    config_of: Callable[[str], Config]
    jobs: int = 0
    stdin: bytes | None = None
    deadline: float = DEADLINE
    analysis: str = ENGINE
    progress: Callable[[int, int], None] | None = None

    @property
    def config(self) -> Config:
        """What holds for the whole run is taken from the first path's configuration."""
        return self.config_of(self.paths[0])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run."""

    run: Run
    missing: tuple[str, ...] = ()
    coverage: dict[str, int] = field(default_factory=dict)


def check(request: Request) -> Outcome:
    """Do all of it."""
    targets, missing = _targets(request)
    sizes = {target: _size(target.path) for target in targets}
    targets.sort(key=lambda target: (-sizes[target], target.shown))
    jobs = [Job(str(target.path), target.shown, request.stdin) for target in targets]
    count = request.jobs or min(cores(), 1 + sum(sizes.values()) // _PER_WORKER)
    done = _progress(request, len(jobs))
    settings = _settings(request, targets)
    reports = run_jobs(jobs, settings, count, request.deadline, done) if jobs else []
    known = {} if request.stdin is None else {targets[0].shown: request.stdin}
    texts = Texts({target.shown: target.path for target in targets}, known)
    commented = [job.shown for job, report in zip(jobs, reports, strict=True) if report.comments]
    findings, told = _judge(request, reports, texts, commented)
    errors = _errors(request, [*told, *(e for report in reports for e in report.errors)])
    run = Run(tuple(findings), tuple(errors), texts.lines, len(targets))
    coverage: Counter[str] = Counter()
    for report in reports:
        coverage.update(report.coverage)
    return Outcome(run, tuple(missing), dict(sorted(coverage.items())))


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


def _settings(request: Request, targets: Sequence[Target]) -> WorkerSettings:
    config = request.config
    return WorkerSettings(
        analysis=request.analysis,
        confidence="possible" if decide.selected(config, "IPA003") else config.confidence,
        target_torch=config.target_torch,
        extra_rules=config.extra_rules,
        roots=tuple(str(config.root / path) for path in config.src),
        given={os.path.realpath(target.path): target.shown for target in targets},
    )


def _judge(
    request: Request, reports: Iterable[FileReport], texts: Texts, commented: Sequence[str]
) -> tuple[list[Diagnostic], list[ToolError]]:
    """Apply configuration and ignore comments to all findings; tell malformed comments."""
    merged = merge(found for report in reports for found in report.findings)
    ignores = {
        path: read_ignores(texts.text(path) or "")
        for path in {*commented, *(found.span.path for found in merged)}
    }
    used: set[tuple[str, Ignore]] = set()
    kept = []
    for found in merged:
        silencing = ignores[found.span.path].of(found)
        used.update((found.span.path, comment) for comment in silencing)
        config = request.config_of(found.span.path)
        if not silencing and decide.shown(config, found) and not _outside(config, found):
            kept.append(found)
    for path in sorted(ignores):
        kept += _unused(request, path, ignores[path], {c for where, c in used if where == path})
    told = [
        ToolError(path, line, column, "IPA003", f"malformed ignore comment: {words}")
        for path in sorted(ignores)
        for line, column, words in ignores[path].malformed
    ]
    return sorted(kept, key=lambda found: (found.span, found.code)), told


def _outside(config: Config, found: Diagnostic) -> bool:
    """Whether a finding stands in an excluded file that was only reached by import."""
    return config.force_exclude and decide.excluded_anywhere(config, found.span.path)


def _unused(
    request: Request, path: str, ignores: Ignores, used: set[Ignore]
) -> Iterable[Diagnostic]:
    config = request.config_of(path)
    if not decide.selected(config, "IPA003"):
        return
    for comment, words in unused(ignores, used):
        if not any(decide.selected(config, code) for code in comment.codes):
            continue
        span = Span(path, comment.line, comment.column, comment.line, comment.end_column)
        yield Diagnostic(
            span, "IPA003", "unused-ignore", "tool", "certain", words, None, (), "delete it"
        )


def _errors(request: Request, errors: Iterable[ToolError]) -> list[ToolError]:
    """Tool errors that are not switched off, each once."""
    return sorted(
        {
            replace(error, message=" ".join(error.message.split()))
            for error in errors
            if error.code == "IPA003" or decide.selected(request.config_of(error.path), error.code)
        }
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
