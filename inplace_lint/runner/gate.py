"""Which files can hold a tensor at all; the engine is neither loaded nor run for others.

A file matters if it mentions torch, imports a library that may hand it tensors (any that is not
known to be free of them), or imports a file of the project that does. What is imported at run time
may be anything; such a file matters if its own code speaks of training. Text is enough to say all
that. What does not matter is still parsed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.runner.protocol import Depends
from inplace_lint.source import SourceError
from inplace_lint.source.decode import read_bytes
from inplace_lint.source.foreign import TENSOR_FREE
from inplace_lint.source.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inplace_lint.runner.project import DiskProject

    Asked = tuple[str, str, int]

_AT_RUN_TIME = (b"import_module", b"__import__", b"exec(", b"eval(")
_TRAINS = re.compile(rb"backward\(|_grad\b|\.grad\b|[Tt]ensor|optimizer|state_dict|criterion")
_GAP = rb"[ \t\\\r\n]+"
_IMPORT = re.compile(
    rb"(?:^|[;:])[ \t]*(?:from" + _GAP + rb"(?P<module>\.*[ \t]*[\w.]*)" + _GAP + rb"import\b"
    rb"[ \t\\\r\n]*(?P<names>\([^)]*\)?|[^\r\n;#]*)|import" + _GAP + rb"(?P<modules>[^\r\n;#]+))",
    re.MULTILINE,
)


NOTHING, AT_RUN_TIME, TENSORS = 0, 1, 2
"""What a file's own text says: no tensors, imports of who knows what, or that there are tensors."""


@dataclass(slots=True)
class Own:
    """What a file's own text says, whether it trains anything, and the files it imports."""

    level: int = NOTHING
    trains: bool = False
    leads: list[Path] = field(default_factory=list)
    asked: dict[Asked, str | None] = field(default_factory=dict)


class Gate:
    """Answers for the files of one project; what a file says is asked once."""

    def __init__(self, project: DiskProject) -> None:
        self._project = project
        self._own: dict[str, Own] = {}
        self._cold: set[str] = set()
        """files from which no import leads to tensors"""

    def matters(self, path: Path, data: bytes | None = None) -> bool:
        """Whether the file at `path` matters; `data` is its text where that is at hand."""
        real = os.path.realpath(path)
        if data is not None:
            self._own[real] = self._read(path, data)
            self._cold.discard(real)
        level = self._level(path, real)
        return level == TENSORS or (level == AT_RUN_TIME and self._own[real].trains)

    def _level(self, path: Path, real: str) -> int:
        """The most that the file, or one that its imports lead to, says."""
        pending, seen, level = [path], {real}, NOTHING
        while pending:
            current = pending.pop()
            own = self._of(current)
            level = max(level, own.level)
            if level == TENSORS:
                return level
            for lead in own.leads:
                key = os.path.realpath(lead)
                if key not in seen and not (key in self._cold and level == AT_RUN_TIME):
                    seen.add(key)
                    pending.append(lead)
        self._cold |= seen
        return level

    def _of(self, path: Path) -> Own:
        real = os.path.realpath(path)
        own = self._own.get(real)
        if own is None:
            try:
                own = self._read(path, read_bytes(path))
            except SourceError:
                own = Own()
            self._own[real] = own
        return own

    def _read(self, path: Path, data: bytes) -> Own:
        if b"torch" in data or b"\0" in data[:4]:  # UTF-16 and the like can't be searched
            return Own(TENSORS)
        own = Own(trains=_TRAINS.search(data) is not None)
        if any(word in data for word in _AT_RUN_TIME):
            own.level = AT_RUN_TIME
        unknown = set()
        for module, level, sure in _imports(data):
            found = self._project.locate(path, module, level)
            own.asked[str(path.parent), module, level] = None if found is None else str(found)
            if found is not None:
                own.leads.append(found)
            elif sure and level == 0 and module.partition(".")[0] not in TENSOR_FREE:
                unknown.add(module)
        if unknown and not unknown.isdisjoint(_in_code(data)):
            own.level = TENSORS
        return own

    def depends(self, path: Path) -> Depends:
        """What the answer for a file hangs on, besides its own bytes."""
        located: dict[Asked, str | None] = {}
        first = os.path.realpath(path)
        pending, files = [first], {first}
        while pending:
            own = self._own.get(pending.pop(), Own())
            located.update(own.asked)
            new = {os.path.realpath(found) for found in own.leads} - files
            files |= new
            pending += new
        return Depends(tuple(sorted(located.items())), tuple(sorted(files - {first})))


def _in_code(data: bytes) -> set[str]:
    """The modules that code imports, not prose in strings."""
    code = plain(data.decode("latin-1")).encode("latin-1")
    return {module for module, _, _ in _imports(code)}


def _imports(data: bytes) -> Iterator[tuple[str, int, bool]]:
    """Module and level of all a text imports, and whether it is sure to be a module.

    `from a import b` may mean a.b, so that is given as well.
    """
    for match in _IMPORT.finditer(data):
        if match["modules"] is not None:
            for part in match["modules"].split(b","):
                yield part.split()[0].decode("utf-8", "replace") if part.split() else "", 0, True
            continue
        written = match["module"].replace(b" ", b"").replace(b"\t", b"")
        module = written.lstrip(b".").decode("utf-8", "replace")
        level = len(written) - len(written.lstrip(b"."))
        yield module, level, True
        for name in re.findall(rb"(?:^|[(,])[\s\\]*(\w+)", match["names"]):
            yield f"{module}.{name.decode('utf-8', 'replace')}".lstrip("."), level, False
