"""Whether a call may leave something behind that a second call would meet.

A call that stores into no object, list, dict or outer name, and writes to no tensor, leaves all as
it was: called again, it would do the same, and the graph of the first call is out of reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

LASTING = (ops.SetAttr, ops.DelAttr, ops.SetItem, ops.DelItem, ops.InPlace)
METHODS = frozenset(
    "append extend insert pop remove clear update setdefault add discard appendleft popleft "
    "popitem sort reverse put push fill copyto shuffle backward step zero_grad train eval "
    "load_state_dict send throw write requires_grad cache".split()
)
"""Methods that change what they are called on, or something it holds."""
NAMES = frozenset("setattr delattr next exec eval globals vars iter".split())


def left_behind(state: State) -> bool:
    """Whether what ran since `state.ran` was cleared may have left a trace."""
    return any(map(leaves_trace, state.ran))


def leaves_trace(function: Function) -> bool:
    """Whether a function's own code may; found once a function."""
    if function.lasting is None:
        function.lasting = any(map(_lasts, walk(function.body)))
    return function.lasting


def _lasts(op: ops.Op) -> bool:
    if isinstance(op, ops.GetAttr):
        name = op.name
        return name in METHODS or name.endswith("_") or name.startswith("register")
    if isinstance(op, ops.LoadName):
        return op.name in NAMES or (op.name.endswith("_") and not op.name.startswith("_"))
    if isinstance(op, ops.StoreName):
        return op.scope != "local"
    return isinstance(op, LASTING)
