"""broadcast_tensors, meshgrid, atleast_2d: of each tensor given a view, or the tensor itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.geometry import broadcast, expand, transpose, unsqueeze
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import ListValue, TupleValue, Unknown, literal, settle
from inplace_lint.interp import autograd, geometry, unknowns
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.geometry import Geometry, Sizes
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


def _given(state: State, call: Call) -> list[Tensor] | None:
    """The tensors, given one by one or as one list; None where something else is among them."""
    only = settle(call.args[0]) if len(call.args) == 1 else None
    if isinstance(only, ListValue) and only.rest is not None:
        return None
    items = only.items if isinstance(only, (ListValue, TupleValue)) else call.args
    values = [settle(item) for item in items]
    made = [unknowns.become_tensor(state, v) if isinstance(v, Unknown) else v for v in values]
    tensors = [value for value in made if isinstance(value, Tensor)]
    return tensors if tensors and len(tensors) == len(made) else None


@model("torch.broadcast_tensors")
def broadcast_tensors(state: State, call: Call) -> Value | None:
    """What has the common shape already comes back as it is; so does what has no known shape."""
    tensors = _given(state, call)
    if tensors is None:
        return None
    shapes = [tensor.geometry.shape for tensor in tensors if tensor.geometry is not None]
    common = broadcast(shapes) if len(shapes) == len(tensors) else None
    return TupleValue(tuple(_expanded(state, tensor, common) for tensor in tensors))


def _expanded(state: State, tensor: Tensor, shape: Sizes | None) -> Tensor:
    known = tensor.geometry
    if shape is None or known is None or known.shape == shape:
        return tensor
    made = autograd.view(state, tensor, "broadcast_tensors")
    geometry.give(made, expand(known, shape))
    return made


@model("torch.meshgrid")
def meshgrid(state: State, call: Call) -> Value | None:
    """Each tensor lies along a dimension of its own, and is repeated along the others."""
    tensors = _given(state, call)
    if tensors is None:
        return None
    sizes = tuple(_length(tensor) for tensor in tensors)
    turned = literal(call.keywords["indexing"]) == "xy" if "indexing" in call.keywords else False
    made = [autograd.view(state, tensor, "meshgrid") for tensor in tensors]
    for place, (grid, tensor) in enumerate(zip(made, tensors, strict=True)):
        grid.expanded = grid.noncontig = len(tensors) > 1
        whole = tuple(size for size in sizes if size is not None)
        shown = _along(tensor.geometry, place, whole) if len(whole) == len(sizes) else None
        if shown is not None:
            swapped = transpose(shown, 0, 1) if turned and len(sizes) > 1 else shown
            geometry.give(grid, swapped)
    return TupleValue(tuple(made))


def _length(tensor: Tensor) -> int | None:
    if tensor.geometry is None:
        return None
    return tensor.geometry.shape[0] if tensor.geometry.shape else 1


def _along(of: Geometry | None, place: int, sizes: Sizes) -> Geometry | None:
    """A vector along one of the dimensions."""
    for _ in sizes[place + 1 :]:
        of = unsqueeze(of, len(of.shape)) if of is not None else None
    return expand(of, sizes) if of is not None else None


ADDED: dict[tuple[int, int], tuple[int, ...]] = {
    (1, 0): (0,),
    (2, 0): (0, 0),
    (2, 1): (0,),
    (3, 0): (0, 0, 0),
    (3, 1): (0, -1),
    (3, 2): (-1,),
}
"""Where `atleast_nd` adds dimensions, by n and by how many there are."""


def _atleast(least: int) -> None:
    @model(f"torch.atleast_{least}d")
    def run(state: State, call: Call) -> Value | None:
        """What has them all already comes back as it is."""
        tensors = _given(state, call)
        if tensors is None:
            return None
        made = tuple(_raised(state, tensor, least) for tensor in tensors)
        alone = isinstance(settle(call.args[0]), (Tensor, Unknown)) and len(made) == 1
        return made[0] if alone else TupleValue(made)


def _raised(state: State, tensor: Tensor, least: int) -> Tensor:
    added = ADDED.get((least, -1 if tensor.ndim is None else tensor.ndim))
    if added is None:
        return tensor
    made = autograd.view(state, tensor, f"atleast_{least}d")
    shown = tensor.geometry
    for dim in added:
        shown = unsqueeze(shown, dim) if shown is not None else None
    geometry.give(made, shown)
    return made


for _least in (1, 2, 3):
    _atleast(_least)
