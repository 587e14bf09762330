"""A loop too long to be run in full: the item of any round, and the tests its counter decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.values import Const, Counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.ir import ops

FURTHEST = 1200
"""Rounds looked through for one in which a test turns."""


@dataclass(slots=True, eq=False)
class Turn:
    """A test of the counter: how it went so far, and how it goes in any round."""

    answers: set[bool]
    compute: Callable[[int], object]


@dataclass(slots=True, eq=False)
class Rounds:
    """What a loop gives out beyond its first items: the item of any round, up to `length`."""

    item: Callable[[int], Value]
    length: int = FURTHEST
    running: int = -1
    turns: dict[ops.If, Turn] = field(default_factory=dict)

    def counter(self, number: int, compute: Callable[[int], object]) -> Const:
        """The value of a counter in a round."""
        return Const(compute(number), Counted(self, number, compute))

    def wanted(self, last: int) -> int | None:
        """The next round in which a test goes the way it has not gone yet."""
        found = [self._turning(turn, last) for turn in self.turns.values()]
        return min((number for number in found if number is not None), default=None)

    def _turning(self, turn: Turn, last: int) -> int | None:
        if len(turn.answers) > 1:
            return None
        for number in range(last + 1, min(self.length, FURTHEST)):
            try:
                if bool(turn.compute(number)) not in turn.answers:
                    return number
            except Exception:
                return None
        return None
