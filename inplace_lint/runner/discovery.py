"""From the paths of the command line to files: folders are walked, .gitignore is honoured.

A named file is always taken, whatever its suffix (unless excludes are forced); in a walk only
regular files with a suffix of ours count, symbolic links to folders are not followed, and a file
that is reached twice is taken once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from inplace_lint.source import SourceError
from inplace_lint.source.decode import is_folder, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    IgnoreRule = Callable[[Path, bool], bool | None]

SUFFIXES = (".py", ".pyi", ".ipynb")


class Excluded(Protocol):
    """Says whether a path is excluded by configuration."""

    def __call__(self, path: Path, folder: bool) -> bool:
        """`path` is absolute or relative to the working folder; `folder` if it is one."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to lint: where it lies and how it is shown."""

    path: Path
    shown: str


def discover(
    paths: Sequence[str], excluded: Excluded, barred: Callable[[Path], bool]
) -> tuple[list[Target], list[str]]:
    """The files to lint, in order of how they are shown, and the paths that don't exist.

    `excluded` is asked on the way down, `barred` about the named paths themselves.
    """
    targets: dict[str, Target] = {}
    missing = []
    for given in paths:
        path = Path(given)
        if not os.path.lexists(path):
            missing.append(given)
            continue
        if barred(path):
            continue
        found = _walk(path, excluded) if is_folder(path) else iter([path])
        for file in found:
            target = Target(file, shown_path(file))
            real = os.path.realpath(file)
            if real not in targets or target.shown < targets[real].shown:
                targets[real] = target
    return sorted(targets.values(), key=lambda target: target.shown), missing


def shown_path(path: Path) -> str:
    """A path as it is shown: `/`-separated, without a leading `./`."""
    return path.as_posix()


def _walk(root: Path, excluded: Excluded) -> Iterator[Path]:
    rules = [rule for folder in _above(root) for rule in _ignore_files(folder)]
    if _ignored(root, True, rules):  # named although ignored: then it is wanted
        rules = []
    pending = [(root, rules)]
    while pending:
        folder, above = pending.pop()
        rules = [*above, *_ignore_files(folder)]
        try:
            entries = _entries(folder)
        except FileNotFoundError:
            continue
        except OSError:  # whoever reads it is told why
            yield folder
            continue
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if excluded(path, is_folder) or _ignored(path, is_folder, rules):
                continue
            if is_folder:
                pending.append((path, rules))
            elif _is_regular(entry):
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """The files with a suffix of ours, and the folders."""
    with os.scandir(folder) as entries:
        return [
            entry
            for entry in entries
            if entry.name.endswith(SUFFIXES) or entry.is_dir(follow_symlinks=False)
        ]


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _above(root: Path) -> Iterator[Path]:
    """The folders above `root` whose .gitignore counts: from the repository's top downwards."""
    whole = root.absolute()
    above = [whole, *whole.parents]
    for number, folder in enumerate(above):
        if os.path.lexists(folder / ".git"):
            yield from reversed(above[1 : number + 1])
            return


def _ignored(path: Path, is_folder: bool, rules: list[IgnoreRule]) -> bool:
    """The deepest .gitignore that speaks of `path` decides."""
    verdicts = (rule(path, is_folder) for rule in reversed(rules))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _ignore_files(folder: Path) -> Iterator[IgnoreRule]:
    """The patterns of a folder's .gitignore (and of a repository's info/exclude)."""
    for name in (".git/info/exclude", ".gitignore"):
        try:
            lines = read_bytes(folder / name).decode(errors="replace").splitlines()
        except SourceError:
            continue
        if any(line.strip() and not line.lstrip().startswith("#") for line in lines):
            yield _ignore_rule(folder, lines)


def _ignore_rule(folder: Path, lines: list[str]) -> IgnoreRule:
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(lines)
    base = folder.absolute()

    def rule(path: Path, is_folder: bool) -> bool | None:
        inside = os.path.relpath(path.absolute(), base).replace(os.sep, "/")
        return spec.check_file(inside + "/" * is_folder).include

    return rule
