"""The child process: reads jobs from stdin, analyses, answers on stdout, until stdin ends.

It may die at any time: the parent (`supervisor`) then tells IPA002 for that file and starts
another.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import threading
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.diagnostic import ToolError
from inplace_lint.runner import notebook
from inplace_lint.runner.project import DiskProject
from inplace_lint.runner.protocol import FileReport, Job, WorkerSettings, receive, send
from inplace_lint.source import SourceError, SourceFile, from_text, read_source
from inplace_lint.source.decode import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    Analysis = Callable[[SourceFile, DiskProject, WorkerSettings], FileReport]

_STACKS = (512, 64)
"""Megabytes of stack to try: recursion over deep syntax needs more than a thread's usual eight."""
_RECURSION = 20_000
_COLLECT_AFTER = 200_000
"""Characters of source between two garbage collections; in between the collector rests."""
_REPORT_AT = "https://github.com/inplace-lint/inplace-lint/issues"


class Session:
    """A worker's lasting state: the analysis, its settings and the project's files."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.project = DiskProject(settings.roots, settings.given)
        self.settings = settings
        module, _, name = settings.analysis.partition(":")
        self._analyse: Analysis = getattr(importlib.import_module(module), name)

    def analyse(self, file: SourceFile) -> FileReport:
        """Analyse a file; whatever is raised becomes IPA002."""
        try:
            return self._analyse(file, self.project, self.settings)
        except Exception as error:
            told = ToolError(file.path, 1, 1, "IPA002", crash_words(error))
            return FileReport(errors=(told,))


def check_job(job: Job, session: Session) -> FileReport:
    """Read one file, analyse it, say whether its text may hold ignore comments."""
    if job.path.endswith(".ipynb"):
        return _check_notebook(job, session)
    path = Path(job.path)
    if job.data is None:
        file = read_source(path, job.shown)
    else:
        file = _given(job, lambda data: data if isinstance(data, str) else decode(data))
    return _check_file(session.project.add(path, file), session)


def _check_notebook(job: Job, session: Session) -> FileReport:
    cells = notebook.Notebook(())

    def text(data: bytes | str) -> str:
        nonlocal cells
        cells = notebook.parse(data.encode() if isinstance(data, str) else data)
        return cells.text

    file = _given(job, text)
    report = _check_file(file, session)
    return notebook.to_cells(report, job.shown, cells) if cells.cells else report


def _given(job: Job, text: Callable[[bytes | str], str]) -> SourceFile:
    """A source file of the text that `text` makes of a job's bytes."""
    path = Path(job.path)
    try:
        data = read_bytes(path) if job.data is None else job.data
        return from_text(text(data), job.shown, path)
    except SourceError as error:
        return SourceFile(job.shown, path, "", error)


def _check_file(file: SourceFile, session: Session) -> FileReport:
    if (wrong := file.error) is not None:
        code = "IPA002" if wrong.kind == "depth" else "IPA001"
        told = ToolError(file.path, wrong.line, wrong.column, code, wrong.message)
        return FileReport(errors=(told,))
    report = session.analyse(file)
    ours, noqa = "inplace-lint:" in file.text, "noqa" in file.text.lower()
    return replace(report, comments="ours" if ours else "noqa" if noqa else "")


def crash_words(error: BaseException) -> str:
    """Name an internal error without str(): of a libcst exception that may be megabytes."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"internal error: {type(error).__name__}{where}; please report it at {_REPORT_AT}"


def serve() -> None:
    """Answer jobs until stdin ends."""
    inbox = os.fdopen(os.dup(0), "rb")
    outbox = os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    session = Session(receive(inbox))
    send(outbox, "ready")
    since = 0
    while True:
        try:
            job = receive(inbox)
        except EOFError:
            return
        send(outbox, check_job(job, session))
        since += session.project.taken()
        if since > _COLLECT_AFTER:
            gc.collect()
            since = 0


def main() -> None:
    """Serve in a thread with a big stack. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    sys.setrecursionlimit(_RECURSION)
    for megabytes in _STACKS:
        try:
            threading.stack_size(megabytes << 20)
            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
        except (ValueError, RuntimeError):
            continue
        thread.join()
        return
    serve()
