"""torch.utils.checkpoint: inner entries are recomputed, only arguments are checked."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.requires import either
from inplace_lint.domain.tensor import Node, Tensor
from inplace_lint.domain.values import ListValue, TupleValue, literal, settle
from inplace_lint.interp import autograd, calls, containers
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

OPTIONS = frozenset(
    "use_reentrant preserve_rng_state context_fn determinism_check debug early_stop".split()
)


@model("torch.utils.checkpoint.checkpoint")
def checkpoint(state: State, call: Call) -> Value:
    """Arguments are saved before the call; what the segment itself saves is dropped."""
    keywords = {name: value for name, value in call.keywords.items() if name not in OPTIONS}
    inner = Call(call.args[1:], keywords, call.open)
    return _segment(state, call.args[0], inner, call.keywords.get("use_reentrant"))


@model("torch.utils.checkpoint.checkpoint_sequential")
def checkpoint_sequential(state: State, call: Call) -> Value:
    """Segments of a Sequential, one after the other; the last runs plainly, here all as one."""
    given = call.get(2, "input")
    functions = settle(call.args[0])
    value = given if given is not None else call.args[-1]
    items = functions.items if isinstance(functions, (ListValue, TupleValue)) else [functions]
    for function in items:
        value = _segment(state, function, Call([value]), call.keywords.get("use_reentrant"))
    return value


def _segment(state: State, function: Value, call: Call, given: Value | None) -> Value:
    reentrant = literal(given) if given is not None else None
    operands = [t for arg in call.args for t in containers.tensors_in(arg, 1)]
    node = _node(state, operands, always=reentrant is False)
    if reentrant is True:
        call = Call([_leaf(state, arg) for arg in call.args], call.keywords, call.open)
    before = state.modes
    state.modes = dataclasses.replace(before, hooks=True)
    try:
        value = calls.call(state, function, call)
    finally:
        state.modes = before
    made = [t for t in containers.tensors_in(value, 2) if t.node is not None]
    if node is not None and made:
        node.requires = either(autograd.requires_of(tensor) for tensor in made)
        for tensor in made:
            assert tensor.node is not None
            tensor.node.edges.append(node)
    return value


def _node(state: State, operands: list[Tensor], always: bool) -> Node | None:
    """The node that keeps the arguments.

    A segment that is not reentrant keeps them all (`always`), whether they require grad or not,
    and looks at them when it is recomputed.
    """
    requires = autograd.any_requires(state, operands)
    if requires is False and not (always and state.modes.grad):
        return None
    node = autograd.new_node(state, "checkpoint", True if always else requires, operands)
    node.made_up = node.made_up or any(operand.made_up for operand in operands)
    for operand in operands:
        autograd.save(state, node, operand)
    return node


def _leaf(state: State, arg: Value) -> Value:
    """A reentrant segment is recomputed on detached arguments: leaves that require grad."""
    tensor = settle(arg)
    if not isinstance(tensor, Tensor):
        return arg
    requires = autograd.requires_of(tensor)
    leaf = autograd.alias(state, tensor, shares_counter=True)
    leaf.requires = requires
    return leaf
