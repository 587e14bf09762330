"""What runs inside backward: tensor hooks, custom backward bodies, post-accumulate hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor

if TYPE_CHECKING:
    from inplace_lint.domain.story import Step
    from inplace_lint.domain.tensor import Node
    from inplace_lint.interp.state import State


def run_node(state: State, node: Node, used: Step) -> None:
    """Hooks of the tensors this node made, then a custom Function's backward()."""
    from inplace_lint.interp import calls

    for hook in node.hooks:
        calls.call(state, hook, calls.Call([gradient(state)]))
    if node.function is not None:
        node.function.run_backward(state, node, used)  # type: ignore[attr-defined]


def run_leaf(state: State, leaf: Tensor) -> None:
    """Hooks of a leaf, then those after its gradient is accumulated."""
    from inplace_lint.interp import calls

    for hook in leaf.hooks:
        calls.call(state, hook, calls.Call([gradient(state)]))
    for hook in leaf.late_hooks:
        calls.call(state, hook, calls.Call([leaf]))


def gradient(state: State) -> Tensor:
    """A gradient as a hook or a custom backward() receives it."""
    site = state.here()
    return Tensor(made=site, maker="grad", made_up=True, name="grad")
