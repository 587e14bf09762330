"""What parent and worker say to each other: one pickled object a message, its length before it."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inplace_lint.diagnostic import Diagnostic, ToolError

ENGINE = "inplace_lint.runner.engine:run"
"""The analysis of a worker; tests give others."""
LATE = 75
"""Exit code of a worker whose file took too long."""
_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The first message to a worker. `analysis` is "module:function", called for each file.

    `given` maps the real path of every file of the run to how it is shown; `roots` are folders
    where absolute imports are looked up besides the importer's own.
    """

    analysis: str = ENGINE
    paths: int = 4
    steps: int = 5000
    confidence: str = "likely"
    target_torch: str = ""
    extra_rules: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    given: dict[str, str] = field(default_factory=dict)
    coverage: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One file to analyse; with `data` set, that is analysed as if it were the file's.

    `size` in bytes lengthens the deadline, which `seconds` tells the worker: in seconds of its own
    work (0: none), so that a busy machine costs no file.
    """

    path: str
    shown: str
    data: bytes | str | None = None
    size: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Depends:
    """What a report hangs on besides its own file's bytes.

    `located`: where an import in a folder led, by folder, module and level (None: nowhere of ours).
    `files`: the real paths of the files that were read.
    """

    located: tuple[tuple[tuple[str, str, int], str | None], ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileReport:
    """What a worker found out about one file.

    `comments` says which ignore comments its text may hold: "ours" (perhaps noqa, too), "noqa", "".
    `depends` is None for a report that may come out differently on the same files.
    """

    findings: tuple[Diagnostic, ...] = ()
    errors: tuple[ToolError, ...] = ()
    coverage: dict[str, int] = field(default_factory=dict)
    comments: str = ""
    depends: Depends | None = None
    unmet: tuple[str, ...] = ()


class WorkerStartError(RuntimeError):
    """No worker can be started: the installation is broken."""


class BrokenError(Exception):
    """The engine can't be loaded."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A worker's answer when the engine can't be loaded: no file will fare better."""

    words: str


def pack(message: object) -> bytes:
    """One message as bytes."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def send(stream: IO[bytes], message: object) -> None:
    """Write one message and flush."""
    stream.write(pack(message))
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; EOFError when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)
