"""Several views of one tensor: what unbind(), split(), chunk() and unpacking give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.interp import autograd, geometry

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


def split(
    state: State, tensor: Tensor, maker: str, count: int, multi: bool = True
) -> tuple[Tensor, ...]:
    """Several views; multi-output ones unless it is tensor_split or the like."""
    made = [autograd.view(state, tensor, maker, multi=multi) for _ in range(count)]
    if maker in {"unbind", "iteration"}:
        for view, shown in zip(
            made, geometry.pieces(maker, tensor.geometry, ()) or (), strict=False
        ):
            geometry.give(view, shown)
        return tuple(made)
    for view in made:
        view.noncontig = maker not in {"unbind", "iteration"}
    return tuple(made)


def sibling(view: Value) -> Value:
    """One more output of a multi-output view op."""
    if not isinstance(view, Tensor):
        return view
    twin = Tensor(
        view.memory, view.counter, view.requires, view.node, view.base, view.meta, view.seen
    )
    twin.made, twin.maker, twin.dtype = view.made, view.maker, view.dtype
    twin.made_up, twin.doubt, twin.noncontig = view.made_up, view.doubt, view.noncontig
    twin.unseen = view.unseen
    return twin
