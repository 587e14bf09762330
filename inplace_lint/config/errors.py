"""What is wrong with a configuration, and where."""

from __future__ import annotations


class ConfigError(Exception):
    """A mistake in a configuration; prints as `file:line:column: message`."""

    def __init__(self, path: str, place: tuple[int, int], message: str) -> None:
        super().__init__(message)
        self.path = path
        self.line, self.column = place
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"
