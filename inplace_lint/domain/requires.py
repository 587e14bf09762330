"""Does a tensor require grad? A three-valued answer that remembers what an unknown one hangs on.

`False`, `True`, or a frozenset of assumptions, any one of which makes it true. A graph node exists
under the answer for its operands together, an entry `x if other` under that of `other` alone: a
finding for which the two share an assumption holds under one, otherwise under two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something ordinary that the code in view does not show.

    `kind`: "argument" (an argument requires grad), "weights" (an unknown model has trained
    weights), "result" (what an unknown callee returned requires grad), "attribute" (likewise, of
    an unknown object). `main` marks the first tensor argument of a forward(), which a save may
    hang on.
    """

    kind: str
    name: str
    main: bool = False

    def words(self) -> str:
        """The assumption as it follows "if"."""
        return WORDS[self.kind].format(self.name)


WORDS = {
    "argument": "`{}` requires grad",
    "weights": "the weights of `{}` are trained",
    "result": "the result of `{}` requires grad",
    "attribute": "`{}` requires grad",
}

Requires: TypeAlias = "bool | frozenset[Assumption]"


def either(answers: Iterable[Requires]) -> Requires:
    """The answer of a result whose operands have these answers."""
    union: frozenset[Assumption] = frozenset()
    for answer in answers:
        if answer is True:
            return True
        if answer is not False:
            union |= answer
    return union or False
