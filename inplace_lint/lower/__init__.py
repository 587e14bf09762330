"""Python syntax to IR, one unit at a time: the only place that knows syntax.

    y = x.exp()   ->   %0 = LoadName 'x'        %1 = GetAttr obj=%0 name='exp'
                       %2 = Call func=%1        StoreName name='y' src=%2

`lower_unit` parses a unit's slice of the text by libcst when first asked, and keeps only the IR.
An op's `at` is the number of a node in the order in which lowering meets them; `span_of` lowers the
unit once more to get the nodes back and generates its code once to learn where they lie.
libcst is imported by the first call, not by this module.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from inplace_lint.diagnostic import Span
    from inplace_lint.ir.function import Function, Site
    from inplace_lint.source import Unit


def lower_unit(unit: Unit) -> Function:
    """The unit as a Function of kind "module"; raises SourceError where libcst can't parse it."""
    with _NoCollection():
        from inplace_lint.lower.unit import lowered

        return lowered(unit)


def span_of(site: Site) -> Span:
    """Where a site lies in its file."""
    with _NoCollection():
        from inplace_lint.lower.positions import span

        return span(site)


class _NoCollection:
    """Trees are no garbage and hold no cycles: looking through them costs a tenth of the parse."""

    __slots__ = ("was_on",)

    def __enter__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.was_on:
            gc.enable()
