"""The child process: reads jobs from stdin, analyses, answers on stdout, until stdin ends.

It may die at any time: the parent (`supervisor`) then tells IPA002 for that file and starts
another.
"""

from __future__ import annotations

import gc
import importlib
import math
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from inplace_lint.runner.examine import Examiner
from inplace_lint.runner.protocol import (
    LATE,
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


class Watch:
    """When the file at hand has had its time; counted in the work of this process."""

    def __init__(self) -> None:
        self._ends = math.inf

    def begin(self, seconds: float) -> None:
        """A file begins that may take so many seconds (0: any)."""
        self._ends = time.process_time() + seconds if seconds else math.inf

    def is_over(self) -> bool:
        """Whether it took longer."""
        return time.process_time() > self._ends


def serve(watch: Watch) -> None:
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
        watch.begin(job.seconds)
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


def _stand_by(thread: threading.Thread, watch: Watch) -> None:
    """Wait for the thread; end it with its file's time, or if nobody is left to want the answer."""
    parent = os.getppid()
    while thread.is_alive():
        thread.join(1.0)
        if watch.is_over():
            os._exit(LATE)
        if os.getppid() != parent:
            os._exit(1)


def main() -> None:
    """Serve in a thread with a big stack. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    sys.setrecursionlimit(_RECURSION)
    watch = Watch()
    for megabytes in _STACKS:
        try:
            threading.stack_size(megabytes << 20)
            thread = threading.Thread(target=serve, args=(watch,), daemon=True)
            thread.start()
        except (ValueError, RuntimeError):
            continue
        _stand_by(thread, watch)
        return
    serve(watch)
