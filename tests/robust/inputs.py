"""Which input belongs to a seed."""

from __future__ import annotations

import functools
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness import corpus
from tests.robust import syntax
from tests.robust.mutants import mutant

LIBRARY = Path(sysconfig.get_paths()["stdlib"])


@dataclass(frozen=True, slots=True)
class Input:
    """A text and where it is from."""

    seed: int
    origin: str
    text: str


class Sources:
    """Files to mutate: the standard library's, the corpus, and those of the folders given."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Find the files; they are read when their turn comes."""
        self.library = _files([LIBRARY])
        self.torch_users = _files([corpus.ROOT, *folders])

    def input(self, seed: int) -> Input:
        """Of four seeds one is random syntax, one the library's, two of files that use torch."""
        if seed % 4 == 0:
            return Input(seed, "syntax", syntax.program(seed))
        files = self.library if seed % 4 == 1 else self.torch_users
        path = files[seed * 7919 % len(files)]
        return Input(seed, str(path), mutant(seed, _text(path)))


def _files(folders: Sequence[Path]) -> list[Path]:
    found = {path for folder in folders for path in folder.rglob("*.py")}
    return sorted(path for path in found if path.is_file())


@functools.lru_cache(64)
def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")
