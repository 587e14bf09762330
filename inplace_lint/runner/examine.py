"""One file before the engine: read, parsed, asked whether it matters."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.diagnostic import ToolError
from inplace_lint.runner.crash import crash_words
from inplace_lint.runner.gate import Gate
from inplace_lint.runner.project import DiskProject
from inplace_lint.runner.protocol import BrokenError, Depends, FileReport, Job, WorkerSettings
from inplace_lint.source import SourceError, SourceFile, from_text
from inplace_lint.source.decode import decode, read_bytes
from inplace_lint.source.errors import READ

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.runner.notebook import Notebook


class Examiner:
    """Reads the files of one project; `analyse` is the engine, asked for files that matter."""

    def __init__(
        self, settings: WorkerSettings, analyse: Callable[[SourceFile], FileReport]
    ) -> None:
        self.project = DiskProject(settings.roots, settings.given)
        self._gate = Gate(self.project)
        self._analyse = analyse

    def matters(self, job: Job) -> bool:
        """Whether the engine is needed for a job."""
        data = job.data.encode(errors="replace") if isinstance(job.data, str) else job.data
        return self._gate.matters(Path(job.path), data)

    def check(self, job: Job) -> FileReport:
        """The report about one file or notebook, whatever happens."""
        try:
            return self._check(job)
        except BrokenError:
            raise
        except Exception as error:
            told = ToolError(job.shown, 1, 1, "IPA002", crash_words(error))
            return FileReport(errors=(told,))

    def _check(self, job: Job) -> FileReport:
        if job.path.endswith(".ipynb"):
            return self._check_notebook(job)
        file = self._read(job, lambda data: data if isinstance(data, str) else decode(data))
        return self._check_file(self.project.add(Path(job.path), file), job)

    def _check_notebook(self, job: Job) -> FileReport:
        from inplace_lint.runner import notebook

        cells: Notebook | None = None

        def text(data: bytes | str) -> str:
            nonlocal cells
            cells = notebook.parse(data.encode() if isinstance(data, str) else data)
            return cells.text

        report = self._check_file(self._read(job, text), job)
        return report if cells is None else notebook.to_cells(report, job.shown, cells)

    def _read(self, job: Job, text: Callable[[bytes | str], str]) -> SourceFile:
        """A source file of the text that `text` makes of a job's bytes."""
        path = Path(job.path)
        try:
            data = read_bytes(path) if job.data is None else job.data
            return from_text(text(data), job.shown, path)
        except SourceError as error:
            return SourceFile(job.shown, path, "", error)

    def _check_file(self, file: SourceFile, job: Job) -> FileReport:
        if (wrong := file.error) is not None:
            code = "IPA002" if wrong.kind == "depth" else "IPA001"
            told = ToolError(file.path, wrong.line, wrong.column, code, wrong.message)
            return FileReport(errors=(told,), depends=Depends() if wrong.kind != READ else None)
        self.project.depends()  # what the file before this one has asked for
        report = self._analyse(file) if self.matters(job) else FileReport()
        ours, noqa = "inplace-lint:" in file.text, "noqa" in file.text.lower()
        comments = "ours" if ours else "noqa" if noqa else ""
        depends = None if _crashed(report) else self._depends(job)
        return replace(report, comments=comments, depends=depends)

    def _depends(self, job: Job) -> Depends:
        """What gate and engine have looked at for a job, its own file apart."""
        gate, engine = self._gate.depends(Path(job.path)), self.project.depends()
        files = {*gate.files, *engine.files} - {os.path.realpath(job.path)}
        located = {**dict(gate.located), **dict(engine.located)}
        return Depends(tuple(sorted(located.items())), tuple(sorted(files)))


def _crashed(report: FileReport) -> bool:
    """Whether an internal error came up, which another run must not be spared."""
    return any(error.message.startswith("internal error") for error in report.errors)
