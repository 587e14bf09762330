"""Which findings are shown: configuration, ignore comments, and what is told about the latter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inplace_lint.checks.wording import merge
from inplace_lint.config import decide
from inplace_lint.diagnostic import Diagnostic, Span, ToolError
from inplace_lint.suppress import Ignore, Ignores, read_ignores, unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from inplace_lint.config.options import Config
    from inplace_lint.runner.protocol import FileReport
    from inplace_lint.runner.texts import Texts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is shown, sorted; `silenced` are findings an ignore comment holds back."""

    findings: tuple[Diagnostic, ...]
    errors: tuple[ToolError, ...]
    silenced: int


def judge(
    reports: Mapping[str, FileReport], config_of: Callable[[str], Config], texts: Texts
) -> Verdict:
    """Judge the reports of all files of a run, which are given by shown path."""
    merged = merge(found for report in reports.values() for found in report.findings)
    ignores = _ignores(reports, merged, config_of, texts)
    used: dict[str, set[Ignore]] = {}
    kept: list[Diagnostic] = []
    silenced = 0
    for found in merged:
        path = found.span.path
        config = config_of(path)
        comments = ignores[path].of(found)
        used.setdefault(path, set()).update(comments)
        if not decide.shown(config, found) or _barred(config, found, texts.asked_for(path)):
            continue
        silenced += bool(comments)
        if not comments:
            kept.append(found)
    for path, there in ignores.items():
        if texts.asked_for(path):
            kept += _unused(config_of(path), path, there, used.get(path, set()))
    kept.sort(key=lambda found: (found.span, found.code))
    errors = _errors([*_malformed(ignores), *_told(reports)], config_of)
    return Verdict(tuple(kept), tuple(errors), silenced)


def _ignores(
    reports: Mapping[str, FileReport],
    findings: Iterable[Diagnostic],
    config_of: Callable[[str], Config],
    texts: Texts,
) -> dict[str, Ignores]:
    """The ignore comments of the files that matter: with findings, or with comments to judge."""
    wanted = {found.span.path for found in findings}
    for shown, report in reports.items():
        all_of_them = decide.wants_unused(config_of(shown))
        if report.comments == "ours" or (report.comments and all_of_them):
            wanted.update(texts.parts(shown))
    return {path: read_ignores(texts.text(path) or "") for path in sorted(wanted)}


def _barred(config: Config, found: Diagnostic, asked_for: bool) -> bool:
    """Whether a finding stands in an excluded file that was only reached by import."""
    if asked_for and not config.force_exclude:
        return False
    return decide.excluded_anywhere(config, found.span.path)


def _unused(config: Config, path: str, ignores: Ignores, used: set[Ignore]) -> Iterator[Diagnostic]:
    if not decide.wants_unused(config):
        return
    for comment, words in unused(ignores, used):
        if any(decide.selected(config, code) for code in comment.codes):
            span = Span(path, comment.line, comment.column, comment.line, comment.end_column)
            yield Diagnostic(
                span, "IPA003", "unused-ignore", "tool", "certain", words, None, (), "delete it"
            )


def _malformed(ignores: Mapping[str, Ignores]) -> Iterator[ToolError]:
    for path, comments in ignores.items():
        for line, column, words in comments.malformed:
            yield ToolError(path, line, column, "IPA003", f"malformed ignore comment: {words}")


def _told(reports: Mapping[str, FileReport]) -> Iterator[ToolError]:
    for report in reports.values():
        yield from report.errors


def _errors(errors: Iterable[ToolError], config_of: Callable[[str], Config]) -> list[ToolError]:
    """Tool errors that are not switched off, each once, each on one line."""
    return sorted(
        {
            replace(error, message=" ".join(error.message.split()))
            for error in errors
            if error.code == "IPA003" or _told_here(config_of(error.path), error)
        }
    )


def _told_here(config: Config, error: ToolError) -> bool:
    return decide.selected(config, error.code) and not decide.ignored_in_file(
        config, error.path, error.code
    )
