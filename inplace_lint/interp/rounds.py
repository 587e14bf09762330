"""Rounds of a long loop: the first few, and those in which a test of the counter turns.

The first rounds of `for epoch in range(100)` never reach what stands under `if epoch > 50`. A
counter that a loop gives out remembers how it hangs on the number of the round, and so does what
is computed from it; a test that went one way in all the rounds so far names the first round in
which it goes the other way, and that one is run too. Every round run is one that occurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.rounds import Turn
from inplace_lint.domain.values import Const, Counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.domain.rounds import Rounds
    from inplace_lint.domain.values import Value
    from inplace_lint.ir import ops

EXTRA = 2
"""Rounds that are run behind the first ones."""


def visit(items: list[Value], more: Rounds | None) -> Iterator[Value]:
    """The items of a loop one by one; what is wanted behind them is asked once they have run."""
    if more is None:
        yield from items
        return
    for number, item in enumerate(items):
        more.running = number
        yield item
    for _ in range(EXTRA):
        wanted = more.wanted(more.running)
        if wanted is None:
            return
        more.running = wanted
        yield more.item(wanted)


def met(test: ops.If, value: Value, weights: tuple[int, int]) -> None:
    """Note a test that a counter decided, where the side not taken may matter."""
    of = value.of if isinstance(value, Const) else None
    if of is None or of.loop.running != of.number:
        return
    answer = bool(value.value) if isinstance(value, Const) else False
    if weights[1] if answer else weights[0]:
        of.loop.turns.setdefault(test, Turn(set(), of.compute)).answers.add(answer)


def end(counter: Const) -> None:
    """The running round is the last one: none is run behind it."""
    if counter.of is not None:
        counter.of.loop.length = 0


def combine(compute: Callable[..., object], *operands: Const) -> Counted | None:
    """How a value computed from others hangs on the round, where one of them does."""
    counted = [operand.of for operand in operands if operand.of is not None]
    if not counted or any(c.loop is not counted[0].loop for c in counted):
        return None
    if any(c.number != counted[0].number for c in counted):
        return None

    def again(number: int) -> object:
        return compute(*(o.value if o.of is None else o.of.compute(number) for o in operands))

    return Counted(counted[0].loop, counted[0].number, again)
