"""Which files can hold a tensor at all; the engine is neither loaded nor run for others.

A file matters if it mentions torch, imports a library that may hand it tensors (any that is not
known to be free of them), imports at run time, or imports a file of the project that matters.
Text is enough to say so, and in doubt a file matters. What does not matter is still parsed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from inplace_lint.runner.protocol import Depends
from inplace_lint.source import SourceError
from inplace_lint.source.decode import read_bytes
from inplace_lint.source.foreign import TENSOR_FREE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inplace_lint.runner.project import DiskProject

    Asked = tuple[str, str, int]

_AT_RUN_TIME = (b"torch", b"import_module", b"__import__", b"exec(", b"eval(")
_GAP = rb"[ \t\\\r\n]+"
_IMPORT = re.compile(
    rb"(?:^|[;:])[ \t]*(?:from" + _GAP + rb"(?P<module>\.*[ \t]*[\w.]*)" + _GAP + rb"import\b"
    rb"[ \t\\\r\n]*(?P<names>\([^)]*\)?|[^\r\n;#]*)|import" + _GAP + rb"(?P<modules>[^\r\n;#]+))",
    re.MULTILINE,
)


class Gate:
    """Answers for the files of one project, each once."""

    def __init__(self, project: DiskProject) -> None:
        self._project = project
        self._known: dict[str, bool] = {}
        self._asked: dict[str, dict[Asked, str | None]] = {}

    def matters(self, path: Path, data: bytes | None = None) -> bool:
        """Whether the file at `path` matters; `data` is its text where that is at hand."""
        real = os.path.realpath(path)
        if data is None and real in self._known:
            return self._known[real]
        self._asked[real] = {}
        self._known[real] = False  # while it is being asked: a circle adds nothing
        answer = self._ask(path, data)
        self._known[real] = answer
        return answer

    def depends(self, path: Path) -> Depends:
        """What the answer for a file hangs on, besides its own bytes."""
        located: dict[Asked, str | None] = {}
        first = os.path.realpath(path)
        pending, files = [first], {first}
        while pending:
            asked = self._asked.get(pending.pop(), {})
            located.update(asked)
            new = {os.path.realpath(found) for found in asked.values() if found is not None} - files
            files |= new
            pending += new
        return Depends(tuple(sorted(located.items())), tuple(sorted(files - {first})))

    def _ask(self, path: Path, data: bytes | None) -> bool:
        if data is None:
            try:
                data = read_bytes(path)
            except SourceError:
                return False
        if b"\0" in data[:4]:  # UTF-16 and the like can't be searched
            return True
        if any(word in data for word in _AT_RUN_TIME):
            return True
        return any(self._import_matters(path, *each) for each in _imports(data))

    def _import_matters(self, path: Path, module: str, level: int, sure: bool) -> bool:
        found = self._project.locate(path, module, level)
        key = (str(path.parent), module, level)
        self._asked[os.path.realpath(path)][key] = None if found is None else str(found)
        if found is not None:
            return self.matters(found)
        return sure and level == 0 and module.partition(".")[0] not in TENSOR_FREE


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
