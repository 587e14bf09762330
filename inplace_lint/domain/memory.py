"""Memory and version counters.

PyTorch keeps one counter per storage, shared by views and detach(); a few aliases (`.data`, numpy,
DLPack, `copy.copy`) have a counter of their own on the same memory, and what is written through
those is unseen by the others. So a tensor points to a `Memory` and to a `Counter`, each a log of
writes; a saved entry remembers how long both logs were.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from inplace_lint.ir.function import Site


@dataclass(slots=True, eq=False)
class Write:
    """One mutation: where, by what, and how sure.

    `hidden` marks one that the harness assumes between calls (an optimizer step): it invalidates
    what was saved but stands nowhere, so it is never told. `doubt` names why it may not happen to
    this tensor (an index of unknown kind), which leaves a finding "possible".
    """

    site: Site
    mutator: str
    name: str | None = None
    via: tuple[Site, ...] = ()
    hidden: bool = False
    doubt: str | None = None
    how: str = "data"
    inside: object | None = None
    """the custom Function call in whose forward it happened"""
    puts: Content | None = None
    """the whole content it puts there, where it is a known copy"""


@dataclass(slots=True, eq=False)
class Memory:
    """The bytes of a storage; `copied` is what it was cloned from."""

    writes: list[Write] = field(default_factory=list)
    copied: Content | None = None

    def content(self, length: int | None = None) -> Content:
        """What it holds, or held after so many writes; a copy has the content of its original."""
        length = len(self.writes) if length is None else length
        known = self.writes[length - 1].puts if length else self.copied
        return known or (self, length)


Content: TypeAlias = "tuple[Memory, int]"
"""The bytes of a memory after so many writes."""


@dataclass(slots=True, eq=False)
class Counter:
    """A version counter; the version is the length of the log."""

    writes: list[Write] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.writes)
