"""The linter in this process: no command, no workers, so that a debugger can step into it."""

from __future__ import annotations

import os
from pathlib import Path

from inplace_lint import harness, lower
from inplace_lint.checks.wording import collect
from inplace_lint.runner.engine import text_of
from inplace_lint.runner.project import DiskProject
from inplace_lint.source import read_source
from tests.harness.literate import Case
from tests.harness.matching import Answer, Revealed


def lint(case: Case, folder: Path) -> Answer:
    """Lay a program out and lint each of its files, as one run of the command would."""
    case.write(folder, case.linted)
    given = {os.path.realpath(folder / name): name for name in case.linted}
    project = DiskProject([str(folder)], given)
    files = [
        project.add(folder / name, read_source(folder / name, name))
        for name in case.linted
        if name.endswith(".py")
    ]
    results = [harness.analyse(file, project, harness.Settings()) for file in files]
    stories = [story for result in results for story in result.stories]
    return Answer(
        diagnostics=tuple(collect(stories, lower.span_of, text_of)),
        revealed=tuple(
            Revealed(span.path, span.line, text)
            for result in results
            for site, text in result.revealed
            for span in [lower.span_of(site)]
        ),
        errors=tuple(message for result in results for _, message in result.errors),
    )
