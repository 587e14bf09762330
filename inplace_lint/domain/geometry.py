"""Shape and strides of a tensor, where literals tell them: they decide views and overlaps.

The rules are PyTorch's: TensorImpl.h (is_contiguous), MemoryOverlap.cpp, TensorUtils.cpp
(computeStride of a view). Offsets are relative to the storage, in elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TypeAlias

Sizes: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True, slots=True)
class Geometry:
    """Sizes, strides and where it begins."""

    shape: Sizes
    strides: Sizes
    offset: int = 0

    @property
    def contiguous(self) -> bool:
        """Whether elements lie in row-major order without gaps."""
        wanted = rows(self.shape).strides
        pairs = zip(self.shape, self.strides, wanted, strict=True)
        return 0 in self.shape or all(size == 1 or have == want for size, have, want in pairs)

    @property
    def dense(self) -> bool:
        """Whether elements fill one block of memory, in any order of the dimensions."""
        expected = 1
        order = sorted(
            ((stride, size) for size, stride in zip(self.shape, self.strides, strict=True)),
        )
        for stride, size in order:
            if size != 1 and stride != expected:
                return False
            expected *= size if size != 1 else 1
        return True

    @property
    def expanded(self) -> bool:
        """Whether several elements share a place (only strides of 0 count, as in PyTorch)."""
        pairs = zip(self.shape, self.strides, strict=True)
        return not self.dense and any(size > 1 and stride == 0 for size, stride in pairs)


def rows(shape: Sizes) -> Geometry:
    """A fresh tensor: row-major."""
    strides = [1] * len(shape)
    for dim in range(len(shape) - 2, -1, -1):
        strides[dim] = strides[dim + 1] * max(shape[dim + 1], 1)
    return Geometry(shape, tuple(strides))


def partly_overlap(written: Geometry, read: Geometry) -> bool:
    """Whether PyTorch refuses to write one while reading the other, on the same storage."""
    if 0 in written.shape or 0 in read.shape or not (written.dense and read.dense):
        return False
    first = (written.offset, written.offset + prod(written.shape))
    second = (read.offset, read.offset + prod(read.shape))
    if first == second:
        return written.strides != read.strides
    return first[0] < second[1] and second[0] < first[1]


def permute(of: Geometry, dims: Sizes) -> Geometry | None:
    """`x.permute(dims)`"""
    ndim = len(of.shape)
    order = [dim % ndim for dim in dims if -ndim <= dim < ndim]
    if sorted(order) != list(range(ndim)):
        return None
    shape, strides = (tuple(part[d] for d in order) for part in (of.shape, of.strides))
    return Geometry(shape, strides, of.offset)


def transpose(of: Geometry, first: int, second: int) -> Geometry | None:
    """`x.transpose(first, second)`"""
    ndim = len(of.shape)
    if not (-ndim <= first < ndim and -ndim <= second < ndim):
        return of if ndim == 0 else None
    order = list(range(ndim))
    order[first], order[second] = order[second], order[first]
    return permute(of, tuple(order))


def select(of: Geometry, dim: int, index: int) -> Geometry | None:
    """`x.select(dim, index)`"""
    ndim = len(of.shape)
    if not -ndim <= dim < ndim:
        return None
    dim %= ndim
    if not -of.shape[dim] <= index < of.shape[dim]:
        return None
    offset = of.offset + (index % of.shape[dim]) * of.strides[dim]
    return Geometry(
        of.shape[:dim] + of.shape[dim + 1 :], of.strides[:dim] + of.strides[dim + 1 :], offset
    )


def cut(of: Geometry, dim: int, part: slice) -> Geometry | None:
    """`x[..., start:stop:step, ...]`"""
    ndim = len(of.shape)
    if not -ndim <= dim < ndim:
        return None
    dim %= ndim
    chosen = range(of.shape[dim])[part]
    if chosen.step <= 0:
        return None
    shape, strides = list(of.shape), list(of.strides)
    offset = of.offset + (chosen.start * strides[dim] if len(chosen) else 0)
    shape[dim], strides[dim] = len(chosen), strides[dim] * chosen.step
    return Geometry(tuple(shape), tuple(strides), offset)


def unsqueeze(of: Geometry, dim: int) -> Geometry | None:
    """`x.unsqueeze(dim)`"""
    ndim = len(of.shape) + 1
    if not -ndim <= dim < ndim:
        return None
    dim %= ndim
    stride = of.shape[dim] * of.strides[dim] if dim < ndim - 1 else 1
    return Geometry(
        (*of.shape[:dim], 1, *of.shape[dim:]),
        (*of.strides[:dim], stride, *of.strides[dim:]),
        of.offset,
    )


def squeeze(of: Geometry, dims: Sizes | None) -> Geometry:
    """`x.squeeze()`, `x.squeeze(dims)`"""
    ndim = len(of.shape)
    asked = range(ndim) if dims is None else [d % ndim for d in dims if -ndim <= d < ndim]
    kept = [d for d in range(ndim) if d not in asked or of.shape[d] != 1]
    shape, strides = (tuple(part[d] for d in kept) for part in (of.shape, of.strides))
    return Geometry(shape, strides, of.offset)


def expand(of: Geometry, shape: Sizes) -> Geometry | None:
    """`x.expand(shape)`; -1 keeps a size."""
    added = len(shape) - len(of.shape)
    if added < 0:
        return None
    sizes, strides = list(shape[:added]), [0] * added
    for wanted, size, stride in zip(shape[added:], of.shape, of.strides, strict=True):
        if wanted not in (-1, size) and size != 1:
            return None
        sizes.append(size if wanted == -1 else wanted)
        strides.append(stride if wanted in (-1, size) else 0)
    return Geometry(tuple(sizes), tuple(strides), of.offset)


def diagonal(of: Geometry, shift: int, first: int, second: int) -> Geometry | None:
    """`x.diagonal(shift, first, second)`"""
    ndim = len(of.shape)
    if ndim < 2 or not (-ndim <= first < ndim and -ndim <= second < ndim):
        return None
    first, second = first % ndim, second % ndim
    high, wide = of.shape[first], of.shape[second]
    length = max(min(high, wide - shift) if shift >= 0 else min(high + shift, wide), 0)
    offset = of.offset
    if length:
        offset += shift * of.strides[second] if shift >= 0 else -shift * of.strides[first]
    kept = [d for d in range(ndim) if d not in (first, second)]
    shape, strides = (tuple(part[d] for d in kept) for part in (of.shape, of.strides))
    return Geometry((*shape, length), (*strides, of.strides[first] + of.strides[second]), offset)


def sized(count: int, shape: Sizes) -> Sizes | None:
    """A shape with its -1 worked out for so many elements; None if it does not fit."""
    known = prod(size for size in shape if size != -1)
    if shape.count(-1) > 1 or (-1 in shape and (known == 0 or count % known)):
        return None
    full = tuple(count // known if size == -1 else size for size in shape)
    return full if prod(full) == count else None


def view(of: Geometry, shape: Sizes) -> Geometry | None:
    """`x.view(shape)`; None where the strides allow no view (or it does not fit)."""
    full = sized(prod(of.shape), shape)
    if full is None:
        return None
    if 0 in full:
        return Geometry(full, rows(full).strides, of.offset)
    strides: list[int] = []
    left = list(full)
    for size, stride in reversed(_chunks(of)):
        room = size
        while left and (room > 1 or left[-1] == 1):
            last = left.pop()
            if room % last:
                return None
            strides.append(stride)
            stride, room = stride * last, room // last
        if room != 1:
            return None
    if left and prod(left) != 1:
        return None
    strides += [strides[-1] if strides else 1] * len(left)
    return Geometry(full, tuple(reversed(strides)), of.offset)


def _chunks(of: Geometry) -> list[tuple[int, int]]:
    """Runs of dimensions that one step walks through: (elements, stride of the innermost)."""
    found: list[tuple[int, int]] = []
    for size, stride in zip(of.shape, of.strides, strict=True):
        if size == 1:
            continue
        if found and found[-1][1] == size * stride:
            found[-1] = (found[-1][0] * size, stride)
        else:
            found.append((size, stride))
    return found


def broadcast(shapes: list[Sizes]) -> Sizes | None:
    """The common shape of operands."""
    ndim = max(map(len, shapes), default=0)
    full = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    common = []
    for sizes in zip(*full, strict=True):
        several = {size for size in sizes if size != 1}
        if len(several) > 1:
            return None
        common.append(several.pop() if several else 1)
    return tuple(common)
