"""The linter in this process: no command, no workers, so that a debugger can step into it."""

from __future__ import annotations

from pathlib import Path

from inplace_lint import harness, lower
from inplace_lint.checks.wording import collect
from inplace_lint.runner.engine import text_of
from inplace_lint.source import SourceFile, read_source
from tests.harness.literate import Case
from tests.harness.matching import Answer, Revealed


class FolderProject:
    """The imports of a literate program: the files beside it, by module name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, SourceFile | None] = {}

    def read(self, name: str) -> SourceFile | None:
        """A file of the folder, read once."""
        if name not in self.files:
            path = self.folder / name
            self.files[name] = read_source(path, name) if path.is_file() else None
        return self.files[name]

    def find(self, importer: SourceFile, module: str, level: int) -> SourceFile | None:
        """The file a module name means; relative names start at the importer's folder."""
        base = Path(importer.path)
        for _ in range(level):
            base = base.parent
        stem = (base if level else Path()) / module.replace(".", "/")
        names = [f"{stem.as_posix()}.py", f"{(stem / '__init__.py').as_posix()}"]
        return next((file for name in names if (file := self.read(name))), None)


def lint(case: Case, folder: Path) -> Answer:
    """Lay a program out and lint each of its files, as one run of the command would."""
    case.write(folder, case.linted)
    project = FolderProject(folder)
    results = [
        harness.analyse(file, project, harness.Settings())
        for name in case.linted
        if (file := project.read(name))
    ]
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
