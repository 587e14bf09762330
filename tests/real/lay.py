"""Lays a commit's two trees out from a mirror of its repository."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from tests.real.rows import Row

SIDES = {"before": "{}^", "after": "{}"}


def lay(row: Row, mirror: Path, out: Path) -> bool:
    """Write OUT/SLUG/before and OUT/SLUG/after, every Python file of each; False without a mirror.

    The whole tree is laid, for the linter follows imports.
    """
    git = _git_folder(mirror / row.repo.replace("/", "+"))
    if git is None:
        return False
    for side, revision in SIDES.items():
        target = out / row.slug / side
        if not target.exists():
            _extract(git, revision.format(row.commit), target)
    return True


def _git_folder(base: Path) -> Path | None:
    folders = (base / "repo" / ".git", base / "repo", base / ".git", base)
    return next((folder for folder in folders if (folder / "objects").is_dir()), None)


def _extract(git: Path, revision: str, target: Path) -> None:
    command = ["git", f"--git-dir={git}", "archive", revision, "--", "*.py"]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    target.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if member.isfile():
                _write(target / member.name, tar, member)


def _write(path: Path, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    content = tar.extractfile(member)
    if content is not None and ".." not in path.parts:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.read())
