"""The analysis of a worker: runs the engine on a file and words its stories."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint import harness
from inplace_lint.checks.wording import collect
from inplace_lint.diagnostic import Span, ToolError
from inplace_lint.lower import span_of
from inplace_lint.opdb import resolve
from inplace_lint.runner.protocol import FileReport
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.interp.project import Project
    from inplace_lint.ir.function import Site
    from inplace_lint.runner.protocol import WorkerSettings
    from inplace_lint.source import SourceFile


def run(file: SourceFile, project: Project, settings: WorkerSettings) -> FileReport:
    """Analyse one file."""
    wanted = harness.Settings(
        paths=settings.paths,
        steps=settings.steps,
        confidence=settings.confidence,
        coverage=settings.coverage,
    )
    _add_rules(settings.extra_rules)
    resolve.aim(settings.target_torch)
    result = harness.analyse(file, project, wanted)
    errors = [_error(file, site, words) for site, words in result.errors]
    errors += _left_out(file)
    findings = collect(result.stories, span_of, text_of)
    figures = dict(result.coverage)
    return FileReport(tuple(findings), tuple(errors), figures, unmet=tuple(result.unmet))


@functools.cache
def _add_rules(files: tuple[str, ...]) -> None:
    for file in files:
        resolve.add_extra(Path(file))


def text_of(site: Site) -> str:
    """The source text of a site."""
    file, span = site.unit.file, span_of(site)
    start = file.starts[span.line - 1] + span.column - 1
    return file.text[start : file.starts[span.end_line - 1] + span.end_column - 1]


def _left_out(file: SourceFile) -> Iterator[ToolError]:
    """The statements that were too nested to be parsed, or that could not be lowered."""
    for unit in file.units:
        if unit.deep:
            words = "nested or chained too deeply to be analysed"
            yield ToolError(file.path, unit.first_line, 1, "IPA002", words)
        elif isinstance(wrong := unit.lowered, SourceError):
            yield ToolError(file.path, wrong.line, wrong.column, "IPA002", wrong.message)


def _error(file: SourceFile, site: Site | None, words: str) -> ToolError:
    span = span_of(site) if site is not None else Span(file.path, 1, 1, 1, 1)
    return ToolError(span.path, span.line, span.column, "IPA002", words)
