"""How the interpreter asks for the project's other files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from inplace_lint.source import SourceFile


class Project(Protocol):
    """Finds modules on disk; the runner implements it, a test may give its own."""

    def find(self, importer: SourceFile, module: str, level: int) -> SourceFile | None:
        """The file that `from {level dots}{module} import ...` in `importer` means, if ours."""


class NoProject:
    """A project of one file: every import is a library's."""

    def find(self, importer: SourceFile, module: str, level: int) -> SourceFile | None:  # noqa: ARG002
        return None
