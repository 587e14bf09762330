"""Runs jobs in child processes that may die or hang: each costs one file, never the run.

Pools of the standard library lose everything when a child is killed, and others poll; here a
thread a child blocks on the child's pipe. A child ends by itself when its file has used up its
seconds of work, and a timer kills one that does not. Children are plain subprocesses, so this also
works in threads, in daemons and on Windows.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from inplace_lint.diagnostic import ToolError
from inplace_lint.runner.protocol import (
    LATE,
    Broken,
    FileReport,
    Job,
    WorkerSettings,
    WorkerStartError,
    pack,
    receive,
    send,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BOOT = (
    "import sys; sys.path[:] = sys.argv[1:]; from inplace_lint.runner.worker import main; main()"
)
"""The user's working folder must not be where the child's imports are looked up."""


_BYTES_A_SECOND = 50_000
"""How much longer a bigger file may take."""
_PATIENCE = 4
"""A child minds its deadline by itself; one that does not is killed after so many times that."""
_GRACE = 0.5
"""Seconds a child gets to be gone after its pipe is, so that its own exit code is seen."""


class StoppedError(Exception):
    """The run ends: no more work is to be started."""


class Worker:
    """One child process; started at the first job and again after a death, until stopped."""

    def __init__(self, settings: WorkerSettings, deadline: float) -> None:
        self._settings = settings
        self._deadline = deadline
        self._child: subprocess.Popen[bytes] | None = None
        self._late = False
        self._answered = 0
        self._stopped = False
        self._lock = threading.Lock()

    def run(self, job: Job) -> FileReport:
        """Analyse one file; a death is tried once more if the child was not fresh."""
        while True:
            fresh = self._answered == 0
            try:
                return self._ask(job)
            except (EOFError, OSError):
                words = self._bury()
            if fresh or words is _LATE:
                told = ToolError(job.shown, 1, 1, "IPA002", words.format(self._seconds(job)))
                return FileReport(errors=(told,))

    def stop(self) -> None:
        """End the child and start no other; any thread may call it."""
        with self._lock:
            self._stopped = True
            if self._child is not None:  # its pipes belong to the thread that reads them
                self._child.kill()
                self._child.wait()

    def _ask(self, job: Job) -> FileReport:
        child = self._child or self._start()
        seconds = self._seconds(job)
        timer = threading.Timer(seconds * _PATIENCE, self._kill, (child,))
        timer.daemon = True
        timer.start()
        try:
            send(_pipe(child.stdin), replace(job, seconds=seconds))
            answer: FileReport | Broken = receive(_pipe(child.stdout))
        finally:
            timer.cancel()
        if isinstance(answer, Broken):
            raise WorkerStartError(f"the engine cannot be loaded: {answer.words}")
        self._answered += 1
        return answer

    def _seconds(self, job: Job) -> float:
        return self._deadline + job.size // _BYTES_A_SECOND

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", _BOOT, *filter(None, sys.path)]
        with self._lock:
            if self._stopped:
                raise StoppedError
            child = _spawn(command)
            self._child, self._late, self._answered = child, False, 0
        try:
            send(_pipe(child.stdin), self._settings)
            receive(_pipe(child.stdout))
        except (EOFError, OSError):
            self._bury()
            raise WorkerStartError(_last_words(command, self._settings)) from None
        return child

    def _kill(self, child: subprocess.Popen[bytes]) -> None:
        self._late = True
        child.kill()

    def _bury(self) -> str:
        """Put a dead child away; gives what it died of."""
        with self._lock:
            child, self._child, self._answered = self._child, None, 0
            if self._stopped or child is None:
                raise StoppedError
            code = _end(child)
        if self._late or code == LATE:
            return _LATE
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return f"the worker process ended {how} while analysing this file"


_LATE = "the analysis took longer than {:g} seconds"


def _spawn(command: list[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as error:  # no more processes or open files
        words = f"a worker process could not start: {error.strerror}"
        raise WorkerStartError(words) from None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _end(child: subprocess.Popen[bytes]) -> int:
    """Wait for a child that closed its pipes, or kill it; then close ours."""
    try:
        code = child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        code = child.wait()
    for stream in (child.stdin, child.stdout):
        with contextlib.suppress(OSError):
            _pipe(stream).close()
    return code


def _last_words(command: list[str], settings: WorkerSettings) -> str:
    """What a child that can't start says, told by starting it again."""
    done = subprocess.run(command, input=pack(settings), capture_output=True, check=False)
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return f"a worker process could not start: {lines[-1] if lines else 'no message'}"


def run_jobs(
    jobs: Sequence[Job],
    settings: WorkerSettings,
    count: int,
    deadline: float,
    done: Callable[[], None] = lambda: None,
) -> list[FileReport]:
    """Analyse `jobs`, which are taken in order by `count` workers; reports come in that order."""
    reports: list[FileReport | None] = [None] * len(jobs)
    crew = [Worker(settings, deadline) for _ in range(max(1, min(count, len(jobs))))]
    queue = _Queue(len(jobs))
    failures: list[BaseException] = []

    def labour(worker: Worker) -> None:
        try:
            for index in queue:
                reports[index] = worker.run(jobs[index])
                done()
        except BaseException as error:
            failures.append(error)
            queue.stop()

    try:
        _in_threads(labour, crew)
    finally:
        queue.stop()
        for worker in crew:
            worker.stop()
    if failures:
        raise failures[0]
    return [report for report in reports if report is not None]


def _in_threads(labour: Callable[[Worker], None], crew: Sequence[Worker]) -> None:
    """Work is never done in the calling thread: Ctrl-C must not cut the start of a child short."""
    threads = [threading.Thread(target=labour, args=(worker,), daemon=True) for worker in crew]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():  # a signal that another thread took is seen at the next round
            thread.join(1.0)


class _Queue:
    """Hands out the numbers below `size`, each once, to any thread, until stopped."""

    def __init__(self, size: int) -> None:
        self._next, self._size, self._lock = 0, size, threading.Lock()

    def __iter__(self) -> Iterator[int]:
        while True:
            with self._lock:
                number = self._next
                self._next += 1
            if number >= self._size:
                return
            yield number

    def stop(self) -> None:
        """Hand out no more."""
        with self._lock:
            self._next = self._size
