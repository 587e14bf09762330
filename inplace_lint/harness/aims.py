"""Paths aimed at mutation sites that nothing has met: the sides of conditions that lead there.

A site is reached through the sides of the conditions around it, and past the guards before it.
Sides of conditions that were not known can be chosen; one aimed path chooses for as many sites as
agree. That takes fewer paths than flipping one decision after the other, and goes deeper.
"""

from __future__ import annotations

from collections import Counter
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


ATTEMPTS = 2
"""How many paths are aimed at one site: what stands in the way of the first may be known there."""


@dataclass(slots=True)
class Charts:
    """The ways to the mutation sites of a file's functions, drawn once a function."""

    file: SourceFile
    ways: dict[Function, list[tuple[Site, Sides]]] = field(default_factory=dict)
    tried: Counter[Site] = field(default_factory=Counter)

    def of(self, function: Function) -> list[tuple[Site, Sides]]:
        """Sites behind conditions, and the sides that lead there."""
        known = self.ways.get(function)
        if known is None:
            ours = function.unit.file is self.file
            known = self.ways[function] = list(self._draw(function)) if ours else []
        return known

    def _draw(self, function: Function) -> Iterator[tuple[Site, Sides]]:
        proof = Proof(self.file)
        for place in unmet.places(function.body):
            sides = leading_to(place)
            if sides and not proof.of(function, None, place.op):
                yield Site(function.unit, place.op.at), sides


@dataclass(slots=True)
class Aims:
    """What is left to aim at in one entry; each site is aimed at once."""

    shared: Shared
    charts: Charts
    choosing: bool = False
    """whether conditions that were known may hang on an option of the entry"""
    tried: set[Site] = field(default_factory=set)

    def next(self) -> Sides:
        """The sides for one more path; empty when nothing unmet can be reached by choosing."""
        chosen: Sides = {}
        for function in self.shared.reached:
            for site, sides in self.charts.of(function):
                if not self._is_open(site, sides):
                    continue
                if all(chosen.get(op, side) == side for op, side in sides.items()):
                    chosen.update(sides)
                    self.tried.add(site)
                    self.charts.tried[site] += 1
        return chosen

    def left(self) -> bool:
        """Whether a site behind conditions is not met so far."""
        sites = self.shared.sites
        return any(
            site not in sites
            for function in self.shared.reached
            for site, _ in self.charts.of(function)
        )

    def _is_open(self, site: Site, sides: Sides) -> bool:
        """Whether a site was not met, and is behind conditions that can be chosen."""
        if site in self.shared.sites or site in self.tried:
            return False
        if self.charts.tried[site] >= ATTEMPTS:
            return False
        return self.choosing or any(op in self.shared.weights for op in sides)


def leading_to(place: Place) -> Sides:
    """The sides of the conditions on the way to a place."""
    sides = {op: body is op.then for op, body in place.around if isinstance(op, ops.If)}
    for op in place.before:
        ends = leaves(op.then), leaves(op.orelse)
        if ends[0] != ends[1]:
            sides[op] = ends[1]
    return sides
