"""Paths aimed at mutation sites that nothing has met: the sides of conditions that lead there.

A site is reached through the sides of the conditions around it, and past the guards before it.
Sides of conditions that were not known can be chosen; one aimed path chooses for as many sites as
agree. That takes fewer paths than flipping one decision after the other, and goes deeper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.harness import unmet
from inplace_lint.harness.plain import Proof
from inplace_lint.interp.execute import leaves
from inplace_lint.ir import ops
from inplace_lint.ir.function import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.harness.unmet import Place
    from inplace_lint.interp.state import Shared
    from inplace_lint.ir.function import Function
    from inplace_lint.source import SourceFile

Sides = dict[ops.If, bool]


@dataclass(slots=True)
class Aims:
    """What is left to aim at in one entry; each site is aimed at once."""

    shared: Shared
    file: SourceFile
    tried: set[Site] = field(default_factory=set)
    choosing: bool = False
    """whether conditions that were known may hang on an option of the entry"""

    def next(self) -> Sides:
        """The sides for one more path; empty when nothing unmet can be reached by choosing."""
        chosen: Sides = {}
        for function in self.shared.fresh:
            for site, sides in self._unmet(function):
                if all(chosen.get(op, side) == side for op, side in sides.items()):
                    chosen.update(sides)
                    self.tried.add(site)
        return chosen

    def _unmet(self, function: Function) -> Iterator[tuple[Site, Sides]]:
        """Sites of a function that were not met, behind conditions that can be chosen."""
        if function.unit.file is not self.file:
            return
        proof = Proof(self.file)
        for place in unmet.places(function.body):
            site = Site(function.unit, place.op.at)
            if site in self.shared.sites or site in self.tried:
                continue
            sides = leading_to(place)
            free = self.choosing or any(op in self.shared.weights for op in sides)
            if sides and free and not proof.of(function, None, place.op):
                yield site, sides


def leading_to(place: Place) -> Sides:
    """The sides of the conditions on the way to a place."""
    sides = {op: body is op.then for op, body in place.around if isinstance(op, ops.If)}
    for op in place.before:
        ends = leaves(op.then), leaves(op.orelse)
        if ends[0] != ends[1]:
            sides[op] = ends[1]
    return sides
