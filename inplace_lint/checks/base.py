"""What a check is: a code, its documentation, and the words it puts to a story.

A check is a row of data. It takes the stories of one `kind` (narrowed by role and by how), and its
templates speak of the story's fields:

    {name}     how the code calls the changed tensor: "`y`", or `anonymous` when it has no name
    {saver}    what saved it: "exp()", "nn.Conv2d", "`*`"
    {mutator}  what changes it: "add_()", "`+=`", "an index assignment"
    {how}      the op that made the view, for the view kinds
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inplace_lint.domain.story import Story


@dataclass(frozen=True, slots=True)
class Page:
    """The documentation of a check, printed by `inplace-lint explain`.

    `error` is PyTorch's own text up to the first part that varies, so that a search for it lands
    here; empty where PyTorch says nothing. `bad` and `good` are whole programs that run.
    """

    what: str
    why: str
    bad: str
    good: str
    instead: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for one role of a check's stories, where its own do not fit."""

    message: str
    legs: Mapping[str, str]
    help: str


@dataclass(frozen=True, slots=True)
class Check:
    """One code. `site` is the role of the leg at which the finding stands.

    `rewrite`: the out-of-place twin of the reported expression leads the help, if it is plain.
    `variants`: other words, by the story's role.
    """

    code: str
    name: str
    summary: str
    page: Page
    kind: str = ""
    roles: frozenset[str] = frozenset()
    hows: frozenset[str] = frozenset()
    message: str = ""
    anonymous: str = "a tensor"
    legs: Mapping[str, str] = field(default_factory=dict)
    help: str = ""
    site: str = "mutated"
    rewrite: bool = False
    opt_in: bool = False
    variants: Mapping[str, Wording] = field(default_factory=dict)

    def wording(self, story: Story) -> Wording:
        """The words for a story."""
        own = self.variants.get(story.role)
        return own if own is not None else Wording(self.message, self.legs, self.help)

    def matches(self, story: Story) -> bool:
        """Whether this check is the one that words `story`. A tool code (no kind) words none."""
        return (
            bool(self.kind)
            and story.kind == self.kind
            and (not self.roles or story.role in self.roles)
            and (not self.hows or story.how in self.hows)
        )
