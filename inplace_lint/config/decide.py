"""Pure decisions: is this code on, is this confidence shown, is this path excluded?"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.config.options import CONFIDENCES
from inplace_lint.diagnostic import split_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathspec import GitIgnoreSpec

    from inplace_lint.config.options import Config
    from inplace_lint.diagnostic import Diagnostic

ALL = "ALL"
_ALWAYS = ("IPA001", "IPA002")


def selected(config: Config, code: str) -> bool:
    """Whether a code is on: the longest matching prefix decides, `ignore` at a tie.

    An opt-in code needs a prefix that singles it out more than "IPA" does, or ALL. What the tool
    could not read or analyse is told unless it is ignored by name.
    """
    on = _longest((*config.select, *config.extend_select), code)
    if code in _ALWAYS:
        on = max(on, 0)
    if on <= len("IPA") and ALL not in config.select + config.extend_select and _opt_in(code):
        on = -1
    return on > _longest(config.ignore, code)


def wants_unused(config: Config) -> bool:
    """Whether IPA003 is on; quick to say no, which nearly every configuration does."""
    prefixes = (*config.select, *config.extend_select)
    return any(p == ALL or len(p) > len("IPA") for p in prefixes) and selected(config, "IPA003")


def shown(config: Config, diagnostic: Diagnostic) -> bool:
    """Whether the configuration lets a finding through."""
    return (
        CONFIDENCES.index(diagnostic.confidence) <= CONFIDENCES.index(config.confidence)
        and selected(config, diagnostic.code)
        and not ignored_in_file(config, diagnostic.span.path, diagnostic.code)
    )


def _opt_in(code: str) -> bool:
    from inplace_lint.checks.registry import registry

    check = registry().get(code)
    return check is not None and check.opt_in


def ignored_in_file(config: Config, path: str, code: str) -> bool:
    """Whether `per-file-ignores` turns a code off in a file."""
    return any(
        _longest(codes, code) >= 0 and matches_globs((glob,), config.root, path)
        for glob, codes in config.per_file_ignores.items()
    )


def excluded(config: Config, path: Path | str, folder: bool) -> bool:
    """Whether excludes name a path or a folder above it (below the configuration's root)."""
    globs = (*config.exclude, *config.extend_exclude)
    name = Path(path).name
    if name in globs:
        return True
    special = tuple(glob for glob in globs if not _plain(glob))
    return bool(special) and matches_globs(special, config.root, path, folder)


def excluded_anywhere(config: Config, path: Path | str) -> bool:
    """Like `excluded`, for a path that no walk led to: its folders are asked, too.

    Of a path outside of the configuration's root only the file itself is asked: what lies above a
    project says nothing about it.
    """
    parts = _inside(config.root, path).split("/")
    if parts[0] == "..":
        parts = parts[-1:]
    globs = {*config.exclude, *config.extend_exclude}
    return any(part in globs for part in parts) or excluded(config, path, False)


def matches_globs(globs: Sequence[str], root: Path, path: Path | str, folder: bool = False) -> bool:
    """Whether gitignore-style globs, relative to `root`, match a path."""
    return bool(_spec(tuple(globs)).match_file(_inside(root, path) + "/" * folder))


def _inside(root: Path, path: Path | str) -> str:
    path, _ = split_cell(str(path))
    try:
        relative = os.path.relpath(path, root)
    except ValueError:  # another drive
        relative = str(Path(path).absolute())
    return relative.replace(os.sep, "/")


def _plain(glob: str) -> bool:
    return not any(sign in glob for sign in "*?[/!")


def _longest(prefixes: Sequence[str], code: str) -> int:
    """The length of the longest prefix that matches, 0 for ALL, -1 for none."""
    fits = [0 if p == ALL else len(p) for p in prefixes if p == ALL or code.startswith(p)]
    return max(fits, default=-1)


@functools.cache
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)
