"""What mutation sites were executed with: the figure that decides how much of a file was checked.

A site is an op that writes by its syntax: `x += v`, `x[i] = v`, `x.name_`, `x.data = v`. It was
met with a tensor, with something that is none (a number, a list, a function such as
`nn.init.zeros_`), or with a value nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import Instance, Unknown
from inplace_lint.ir import ops
from inplace_lint.ir.function import Site

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import Frame, State

TENSOR, OTHER, UNKNOWN = "a tensor", "something else", "an unknown value"
RANKS = (UNKNOWN, OTHER, TENSOR)
"""What a site is counted as where several paths met it with several things."""


def writes(op: ops.Op) -> bool:
    """Whether an op is a mutation site, by syntax."""
    if isinstance(op, (ops.InPlace, ops.SetItem)):
        return True
    if isinstance(op, ops.GetAttr):
        return op.name.endswith("_") and not op.name.startswith("_")
    return isinstance(op, ops.SetAttr) and op.name == "data"


def note(state: State, frame: Frame, op: ops.Op, value: Value) -> None:
    """Record what a site was executed with; `value` is settled."""
    sites = state.shared.sites
    site = Site(frame.function.unit, op.at)
    what = _kind(value)
    known = sites.get(site)
    if known is None or RANKS.index(what) > RANKS.index(known):
        sites[site] = what


def _kind(value: Value) -> str:
    if isinstance(value, Tensor):
        return TENSOR
    if isinstance(value, Instance) and isinstance(value.native, Tensor):
        return TENSOR
    return UNKNOWN if isinstance(value, Unknown) else OTHER
