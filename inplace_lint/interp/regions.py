"""Which part of its base a view shows, as far as literals tell: do a write and its source overlap?

A region is a tuple of index parts over the base: an int, a (start, stop, step) or `ALL`. `x[1:] =
x[:-1]` overlaps itself, `x[:, 0] = x[:, 1]` does not. Unknown regions never overlap: in doubt,
silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.geometry import partly_overlap
from inplace_lint.domain.values import Const, SliceValue, TupleValue, literal, settle

if TYPE_CHECKING:
    from inplace_lint.domain.tensor import Tensor
    from inplace_lint.domain.values import Value

LENGTH = 1000
"""Stands for the unknown length of a dimension; bounds in real code are far smaller."""
WHOLE: tuple[object, ...] = ()


def of_index(tensor: Tensor, index: Value) -> object | None:
    """The region of `tensor[index]`, None when it is not known."""
    if tensor.noncontig or (tensor.base is not None and tensor.region is None):
        return None
    if tensor.region not in (None, WHOLE):
        return None
    parts = index.items if isinstance(index, TupleValue) else (index,)
    known = [_part(settle(part)) for part in parts]
    return None if None in known else tuple(known)


def _part(part: Value) -> object | None:
    if isinstance(part, SliceValue):
        bounds = [None if b is None else literal(b) for b in (part.lower, part.upper, part.step)]
        return tuple(bounds) if all(b is None or isinstance(b, int) for b in bounds) else None
    value = literal(part)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def overlap(target: Tensor, source: Tensor) -> bool:
    """Whether a write to `target` from `source` reads what it writes, at another place."""
    if target.memory is not source.memory:
        return False
    if target.geometry is not None and source.geometry is not None:
        return partly_overlap(target.geometry, source.geometry)
    if source.base is target and source.maker in TURNED and not target.noncontig:
        return True
    first, second = _region(target), _region(source)
    if first is None or second is None or _bounded(first) == _bounded(second):
        return False
    return all(_cells(a) & _cells(b) for a, b in zip(first, second, strict=False))


def meet(target: Tensor, source: Tensor) -> bool:
    """Whether they share memory at all: what scatter_() and its kin do not take."""
    return source is target or overlap(target, source) or _same(target, source)


def _same(target: Tensor, source: Tensor) -> bool:
    """The same place by geometry."""
    if target.memory is not source.memory or target.geometry is None:
        return False
    return target.geometry == source.geometry and not target.geometry.expanded


TURNED = frozenset({"t", ".T"})
"""Views of a matrix that lie otherwise in its memory; to be written to it, it has to be square."""


def _region(tensor: Tensor) -> tuple[object, ...] | None:
    """The rows of the base it shows; None where it is not known to fill one block of memory."""
    if tensor.region is not None:
        rows = tensor.region if isinstance(tensor.region, tuple) else None
        return rows if rows is not None and len(rows) <= 1 and _solid(rows) else None
    return WHOLE if tensor.base is None and not tensor.noncontig else None


def _bounded(rows: tuple[object, ...]) -> tuple[object, ...]:
    """The region without full slices at its end: `x[:]` is all of `x`."""
    full = (None, None, None)
    return WHOLE if all(part == full for part in rows) else rows


def _solid(rows: tuple[object, ...]) -> bool:
    """No step: rows that lie side by side."""
    return all(isinstance(part, int) or part[2] in (None, 1) for part in rows)  # type: ignore[index]


def _cells(part: object) -> set[int]:
    if isinstance(part, int):
        return {part % LENGTH}
    return set(range(LENGTH)[slice(*part)]) if isinstance(part, tuple) else set()


def moves(index: Value) -> bool:
    """Whether a view by this index may not be contiguous: anything behind the first dimension."""
    if not isinstance(index, TupleValue):
        return isinstance(index, SliceValue) and index.step is not None
    return any(isinstance(settle(part), SliceValue) for part in index.items)


def is_whole(index: Value) -> bool:
    """`x[:]`, `x[...]`, `x[:, :]`: a write there is one to `x` itself, no view of it."""
    parts = [settle(p) for p in (index.items if isinstance(index, TupleValue) else (index,))]
    return bool(parts) and all(map(_is_full, parts))


def _is_full(part: Value) -> bool:
    if isinstance(part, SliceValue):
        bounds = (part.lower, part.upper, part.step)
        return all(bound is None or literal(bound) is None for bound in bounds)
    return isinstance(part, Const) and part.value is ...


def is_row(index: Value) -> bool:
    """An int alone: a row of an expanded tensor has no overlap of its own."""
    return isinstance(index, Const) and isinstance(index.value, int)


def dimensions(ndim: int | None, index: Value) -> int | None:
    """Dimensions left after a basic index, where the tensor's own are known."""
    if ndim is None:
        return None
    parts = index.items if isinstance(index, TupleValue) else (index,)
    ints = sum(isinstance(literal(part), int) for part in parts)
    return max(ndim - ints, 0)
