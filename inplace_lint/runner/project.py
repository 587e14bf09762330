"""Finds the project's own modules on disk, and keeps the files it has read.

    importer pkg/train.py:  from .model import Net      -> pkg/model.py, by level
                            from pkg.model import Net   -> beside the package's root, src/, ...

A module of the standard library or of torch is never ours, whatever lies around.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.runner.protocol import Depends
from inplace_lint.source import read_source
from inplace_lint.source.decode import is_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inplace_lint.source import SourceFile

    _Found = tuple[str | None, tuple[str, str, int] | None]

_FOREIGN = frozenset({"torch", "numpy", *sys.stdlib_module_names})
_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
_HIGHEST = 12


class DiskProject:
    """The files of the project, each read once; keys are real paths."""

    def __init__(self, roots: Sequence[str], given: Mapping[str, str]) -> None:
        self._roots = [Path(root) for root in roots]
        self._given = given
        self._files: dict[str, SourceFile] = {}
        self._located: dict[tuple[str, str, int], Path | None] = {}
        self._found: dict[tuple[SourceFile, str, int], _Found] = {}
        self._package_roots: dict[Path, Path] = {}
        self._taken = 0
        self._asked: set[tuple[str, str, int]] = set()
        self._used: set[str] = set()

    def add(self, path: Path, file: SourceFile) -> SourceFile:
        """Keep a file that was read elsewhere, unless it is known already with the same text."""
        real = os.path.realpath(path)
        known = self._files.get(real)
        if known is not None and known.path == file.path and known.text == file.text:
            return known
        self._taken += len(file.text)
        self._files.pop(real, None)
        self._files[real] = file
        return file

    def taken(self) -> int:
        """Characters read since this was asked last."""
        taken, self._taken = self._taken, 0
        return taken

    def trim(self, most: int) -> bool:
        """If more than `most` characters are kept, forget the files that were used least lately."""
        kept = sum(len(file.text) for file in self._files.values())
        if kept <= most:
            return False
        for real in list(self._files):
            if kept <= most // 2:
                break
            kept -= len(self._files.pop(real).text)
        self._found.clear()
        return True

    def depends(self) -> Depends:
        """What was asked for since this was asked last: where imports led, and the files read."""
        located = ((key, self._located[key]) for key in sorted(self._asked))
        found = tuple((key, None if path is None else str(path)) for key, path in located)
        files = tuple(sorted(self._used))
        for real in files:
            self._files[real] = self._files.pop(real)  # the order is that of use
        self._asked, self._used = set(), set()
        return Depends(found, files)

    def find(self, importer: SourceFile, module: str, level: int) -> SourceFile | None:
        """The file that `from {level dots}{module} import ...` in `importer` means, if ours."""
        key = (importer, module, level)
        if key not in self._found:
            self._found[key] = self._find(importer, module, level)
        real, asked = self._found[key]
        if asked is not None:
            self._asked.add(asked)
        if real is None:
            return None
        self._used.add(real)
        return self._files[real]

    def _find(self, importer: SourceFile, module: str, level: int) -> _Found:
        """The real path of that file, which has then been read, and what was asked for it."""
        if importer.file is None:
            return None, None
        path = self.locate(importer.file, module, level)
        key = (str(importer.file.parent), module, level)
        asked = key if key in self._located else None
        return None if path is None else self._read(path, importer), asked

    def locate(self, importer: Path, module: str, level: int) -> Path | None:
        """Where that file lies; nothing is read."""
        if not level and module.partition(".")[0] in _FOREIGN:
            return None
        key = (str(importer.parent), module, level)
        if key not in self._located:
            parts = [part for part in module.split(".") if part]
            folders = self._folders(importer, level)
            paths = (module_file(folder, parts) for folder in folders)
            self._located[key] = next((path for path in paths if path is not None), None)
        return self._located[key]

    def _folders(self, importer: Path, level: int) -> Iterator[Path]:
        here = importer.absolute().parent
        if level:
            yield here.joinpath(*[".."] * (level - 1))
            return
        root = self._package_roots.get(here)
        if root is None:
            root = self._package_roots[here] = package_root(here)
        yield root
        yield here
        yield from self._roots
        for folder in _upwards(root):
            yield folder
            yield folder / "src"

    def _read(self, path: Path, importer: SourceFile) -> str:
        real = os.path.realpath(path)
        if real not in self._files:
            self._files[real] = read_source(path, self._shown(path, real, importer))
            self._taken += len(self._files[real].text)
        return real

    def _shown(self, path: Path, real: str, importer: SourceFile) -> str:
        if (given := self._given.get(real)) is not None:
            return given
        whole = os.path.normpath(path.absolute())
        if not Path(importer.path).is_absolute():
            with contextlib.suppress(ValueError):  # another drive
                whole = os.path.relpath(whole)
        return Path(whole).as_posix()


def module_file(folder: Path, parts: Sequence[str]) -> Path | None:
    """`folder/a/b.py` or `folder/a/b/__init__.py` for a.b; without parts the package itself."""
    base = os.path.join(folder, *parts)  # noqa: PTH118 - most of these paths lead nowhere
    inside, beside = f"{base}{os.sep}__init__.py", f"{base}.py"
    if is_file(inside):
        return Path(inside)
    return Path(beside) if parts and is_file(beside) else None


def package_root(folder: Path) -> Path:
    """The folder that holds the outermost package `folder` belongs to."""
    while is_file(folder / "__init__.py") and folder.parent != folder:
        folder = folder.parent
    return folder


def _upwards(folder: Path) -> Iterator[Path]:
    """`folder` and what is above it, up to where a project begins; nothing if none does."""
    above = [folder, *folder.parents][:_HIGHEST]
    for number, candidate in enumerate(above, 1):
        if any(os.path.lexists(candidate / marker) for marker in _MARKERS):
            yield from above[:number]
            return
