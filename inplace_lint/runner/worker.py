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
from typing import TYPE_CHECKING

from inplace_lint.runner.examine import Examiner
from inplace_lint.runner.protocol import (
    Broken,
    BrokenError,
    FileReport,
    WorkerSettings,
    receive,
    send,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.runner.project import DiskProject
    from inplace_lint.source import SourceFile

    Analysis = Callable[[SourceFile, DiskProject, WorkerSettings], FileReport]

_STACKS = (512, 64)
"""Megabytes of stack to try: recursion over deep syntax needs more than a thread's usual eight."""
_RECURSION = 20_000
_COLLECT_AFTER = 200_000
"""Characters of source between two garbage collections; in between the collector rests."""
_KEPT = 8_000_000
"""Characters of source kept for the files that import them: some 200 MB with their IR."""


class Engine:
    """The analysis, loaded when the first file needs it."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._run: Analysis | None = None
        self.examiner = Examiner(settings, self.analyse)

    def analyse(self, file: SourceFile) -> FileReport:
        """Analyse a file; BrokenError if there is no engine."""
        if self._run is None:
            self._run = self._load()
        return self._run(file, self.examiner.project, self._settings)

    def _load(self) -> Analysis:
        module, _, name = self._settings.analysis.partition(":")
        try:
            run: Analysis = getattr(importlib.import_module(module), name)
        except Exception as error:
            raise BrokenError(f"{type(error).__name__}: {error}") from error
        return run


def serve() -> None:
    """Answer jobs until stdin ends."""
    inbox = os.fdopen(os.dup(0), "rb")
    outbox = os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    engine = Engine(receive(inbox))
    send(outbox, "ready")
    since = 0
    while True:
        try:
            job = receive(inbox)
        except EOFError:
            return
        try:
            send(outbox, engine.examiner.check(job))
        except BrokenError as error:
            send(outbox, Broken(str(error)))
        since += engine.examiner.project.taken()
        if since > _COLLECT_AFTER:
            _collect(engine.examiner.project)
            since = 0


def _collect(project: DiskProject) -> None:
    """Collect garbage; files and their IR last, and are not looked through a second time."""
    if project.trim(_KEPT):
        gc.unfreeze()
    gc.collect()
    gc.freeze()


def _outlive_no_parent(thread: threading.Thread) -> None:
    """Wait for the thread; if the parent is killed meanwhile, nobody wants the answer."""
    parent = os.getppid()
    while thread.is_alive():
        thread.join(1.0)
        if os.getppid() != parent:
            os._exit(1)


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
        _outlive_no_parent(thread)
        return
    serve()
