"""What a format is given and what it gives back.

A format is a pure function from a finished run to text. Text formats are written for a terminal
and pass what comes from files or paths through `terminal.printable`; the others quote it as their
format wants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inplace_lint.diagnostic import Diagnostic, ToolError


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run. `lines_of` gives a shown file's lines, without line ends, or None.

    `findings` and `errors` are sorted; `checked` counts the files that were asked for.
    """

    findings: tuple[Diagnostic, ...]
    errors: tuple[ToolError, ...]
    lines_of: Callable[[str], Sequence[str] | None]
    checked: int


@dataclass(frozen=True, slots=True)
class Report:
    """A format: its name, a line about it, and what renders it.

    `colour` is true only where a terminal will show the text. `for_people`: a summary line follows
    it, and tool errors are left to stderr. `aside`: an environment variable that names a file, and
    what is appended to that file.
    """

    name: str
    summary: str
    render: Callable[[Run, bool], str]
    for_people: bool = False
    aside: tuple[str, Callable[[Run], str]] | None = None


ROLE_WORDS = {
    "saved": "saved here",
    "mutated": "changed here",
    "used": "needed here",
    "leaf": "leaf",
    "view": "view made here",
    "freed": "freed here",
    "via": "called here",
}
"""How a leg's role is called wherever a person reads it."""


def certainty(diagnostic: Diagnostic) -> str:
    """`likely: if x requires grad`, `possible`, or "" for what is certain."""
    if diagnostic.confidence == "certain":
        return ""
    condition = f": if {diagnostic.assumes}" if diagnostic.assumes else ""
    return diagnostic.confidence + condition
