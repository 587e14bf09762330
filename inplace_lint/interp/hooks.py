"""What runs inside backward: tensor hooks, custom backward bodies, post-accumulate hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.interp import acts
from inplace_lint.interp.dispatch import Call

if TYPE_CHECKING:
    from inplace_lint.domain.tensor import Edge, Node
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.backward import Request
    from inplace_lint.interp.state import State


def run_node(state: State, node: Node, request: Request) -> None:
    """Hooks of the tensors this node made, then a custom Function's backward()."""
    _call_hooks(state, node.hooks, gradient(state, request, node))
    if node.function is not None:
        node.function.run_backward(state, node, request)  # type: ignore[attr-defined]


def run_leaf(state: State, leaf: Tensor, request: Request) -> None:
    """Hooks of a leaf, before its gradient is accumulated."""
    _call_hooks(state, leaf.hooks, gradient(state, request, leaf))


def run_late(state: State, leaf: Tensor) -> None:
    """Hooks after the gradient is accumulated."""
    _call_hooks(state, leaf.late_hooks, leaf)


def _call_hooks(state: State, hooks: list[Value], given: Tensor) -> None:
    for hook in list(hooks):
        acts.call(state, hook, Call([given]))


def gradient(state: State, request: Request, edge: Edge) -> Tensor:
    """A gradient as a hook or a custom backward() receives it."""
    made = Tensor(made=state.here(), maker="grad", made_up=state.backward is not None, name="grad")
    flow = request.flows.get(id(edge))
    made.expanded = flow is not None and flow.expanded
    return made
