"""F.scaled_dot_product_attention of matrices: PyTorch multiplies them one by one.

Query and key are scaled copies by then, so that of the operands it keeps the value alone. Kernels
that keep all of them, as the table's row says, take four dimensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.requires import either
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import settle
from inplace_lint.interp import autograd
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

FUSED = 4
"""How many dimensions the operands of a fused kernel have."""


@model("F.scaled_dot_product_attention")
def attention(state: State, call: Call) -> Value | None:
    """None where the number of dimensions is not known: the row answers then."""
    names = ("query", "key", "value", "attn_mask")
    given = [call.get(place, name) for place, name in enumerate(names)]
    tensors = [settle(value) if value is not None else None for value in given]
    query, _, value = tensors[:3]
    if not isinstance(query, Tensor) or not isinstance(value, Tensor):
        return None
    if query.ndim is None or query.ndim >= FUSED:
        return None
    operands = [tensor for tensor in tensors if isinstance(tensor, Tensor)]
    made = autograd.fresh(state, operands, "scaled_dot_product_attention")
    requires = autograd.any_requires(state, operands)
    if requires is False:
        return made
    made.node = autograd.new_node(state, "scaled_dot_product_attention", requires, operands)
    made.requires = requires
    others = [*tensors[:2], *tensors[3:]]
    needs = either(autograd.requires_of(t) for t in others if isinstance(t, Tensor))
    if needs is not False:
        autograd.save(state, made.node, value, needs)
    return made
