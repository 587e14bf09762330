"""Whether a product takes an operand as it is, or had to copy it to merge its dimensions.

ATen folds what has more than two dimensions into a matrix (should_fold in LinearAlgebra.cpp, and
linear()), and several batch dimensions into one for bmm(). Where the strides do not allow that, the
copy is saved, and nobody can change it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import settle

if TYPE_CHECKING:
    from inplace_lint.domain.geometry import Geometry
    from inplace_lint.interp.operation import Operation

PRODUCTS = {"matmul": ("self", "other"), "op:@": ("self", "other")}
LINEAR = frozenset({"linear", "py:F.linear", "nn.Linear"})
TURNING = frozenset("transpose permute swapaxes swapdims movedim moveaxis einsum".split())
"""Views whose dimensions lie in another order."""


def goes_in_as_it_is(operation: Operation, name: str, tensor: Tensor) -> bool | None:
    """Whether what is saved is the operand's own memory; None where its shape decides."""
    rule = operation.rule.id
    if rule in LINEAR:
        return _folded(tensor, mirrored=False) if name == "input" else True
    if rule not in PRODUCTS:
        return True
    other = settle(operation.bound[next(each for each in PRODUCTS[rule] if each != name)])
    own, its = _ndim(tensor), _ndim(other) if isinstance(other, Tensor) else None
    if own is not None and own <= MATRIX:
        return True
    if its is None or own is None:
        return None if _is_turned(tensor) and not tensor.swapped else True
    if its <= MATRIX:
        return _folded(tensor, mirrored=name == "other")
    return _batched(tensor, max(own, its) - MATRIX)


MATRIX = 2


def _folded(tensor: Tensor, mirrored: bool) -> bool | None:
    """All dimensions but the last in one; of a second operand, of its transposed matrices."""
    known, ndim = tensor.geometry, _ndim(tensor)
    if ndim is not None and ndim <= MATRIX:
        return True
    if known is not None:
        order = [*range(ndim or 0)]
        if mirrored:
            order[-2:] = order[:-3:-1]
        return _lie_in_order(known, order[:-1])
    if not _is_turned(tensor):
        return not mirrored
    return None if ndim is None or mirrored else False


def _batched(tensor: Tensor, batches: int) -> bool | None:
    """All dimensions but the last two in one, of which there are several."""
    known = tensor.geometry
    if batches < MATRIX:
        return True
    if known is not None:
        own = len(known.shape) - MATRIX
        return _lie_in_order(known, [*range(own)]) if own == batches else None
    return None if _is_turned(tensor) and not tensor.swapped else True


def _lie_in_order(known: Geometry, dims: list[int]) -> bool:
    """Whether dimensions merge without a copy."""
    wide = [dim for dim in dims if known.shape[dim] != 1]
    return all(
        known.strides[dim] == known.strides[after] * known.shape[after]
        for dim, after in pairwise(wide)
    )


def _is_turned(tensor: Tensor) -> bool:
    return tensor.noncontig and tensor.maker in TURNING


def _ndim(tensor: Tensor) -> int | None:
    return len(tensor.geometry.shape) if tensor.geometry is not None else tensor.ndim
