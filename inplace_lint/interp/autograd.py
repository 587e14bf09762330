"""What autograd does around an op: requires_grad, checks of in-place writes, saves, bumps, history.

The sources are PyTorch's VariableTypeUtils.h (check_inplace,
rebase_history) and saved_variable.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.memory import Counter, Memory, Write
from inplace_lint.domain.requires import Requires, either
from inplace_lint.domain.tensor import (
    CUSTOM,
    DEFAULT,
    INFERENCE,
    MULTI,
    NO_GRAD,
    VIEW_KINDS,
    Edge,
    Node,
    Saved,
    Tensor,
    root_of,
)
from inplace_lint.interp import findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.interp.state import State

WITHOUT_GRAD = frozenset({"int", "bool"})


def requires_of(tensor: Tensor) -> Requires:
    """Whether it requires grad: its own flag or graph, or its base's."""
    if tensor.dtype in WITHOUT_GRAD:
        return False
    if tensor.base is None:
        return tensor.requires
    return either((tensor.requires, tensor.base.requires))


def grad_fn(state: State, tensor: Tensor) -> Node | None:
    """Its graph node; a view whose base was written gets a new one, or an error by its meta."""
    base = tensor.base
    if base is None or tensor.seen == tensor.counter.version:
        return tensor.node
    wrote = tensor.counter.writes[-1]
    tensor.seen = tensor.counter.version
    if tensor.meta != DEFAULT and base.requires is not False:
        findings.later_use_of_view(state, tensor, wrote)
        return tensor.node
    if base.node is None:
        return tensor.node
    site = tensor.made or state.here()
    tensor.node = Node(state.next(), "AsStrided", site, base.requires, [base.node])
    tensor.node.made_up = base.made_up
    return tensor.node


def edge_of(state: State, tensor: Tensor) -> Edge | None:
    """Where a graph that uses this tensor leads: its node, or itself as a leaf.

    A view made without grad mode leads nowhere, although it requires grad as its base does.
    """
    if requires_of(tensor) is False:
        return None
    return grad_fn(state, tensor) or (tensor if tensor.requires is not False else None)


def any_requires(state: State, tensors: Iterable[Tensor]) -> Requires:
    """Whether an op over these tensors is recorded."""
    return either(map(requires_of, tensors)) if state.modes.grad else False


def new_node(state: State, op: str, requires: Requires, operands: Iterable[Tensor]) -> Node:
    """A node over operands."""
    node = Node(state.next(), op, state.here(), requires)
    doubts = []
    for operand in operands:
        edge = edge_of(state, operand)
        if edge is not None:
            node.edges.append(edge)
            node.made_up = node.made_up or operand.made_up
            doubts.append(_doubt(operand))
            if operand.unmarked is not None:
                node.stale.append((operand, operand.unmarked))
    node.doubt = doubts[0] if all(doubts) and doubts else None
    return node


def role_of(tensor: Tensor) -> str:
    """What the reader calls it: "parameter", "buffer" or "plain"; views as their base."""
    return tensor.role if tensor.role != "plain" else root_of(tensor).role


def save(
    state: State, node: Node, tensor: Tensor, needs: Requires = True, result: bool = False
) -> Saved | None:
    """Record that the node keeps this tensor; None where PyTorch refuses (inference tensor)."""
    if tensor.inference and not state.modes.inference:
        findings.inference_saved(state, node, tensor)
        return None
    role = role_of(tensor)
    entry = Saved(
        tensor,
        tensor.memory,
        tensor.counter,
        tensor.counter.version,
        len(tensor.memory.writes),
        needs,
        role if role != "plain" else ("result" if result else "operand"),
        state.here(),
        is_result=result,
        checked=not state.modes.hooks,
        doubt=tensor.doubt,
    )
    node.saved.append(entry)
    return entry


def check_inplace(state: State, tensor: Tensor, recorded: Requires, mutator: str) -> bool:
    """Whether a tracked in-place write is allowed; a refused one is a finding."""
    if recorded is False:
        return True
    base = tensor.base
    if base is not None and tensor.meta != DEFAULT:
        findings.forbidden_view(state, VIEW_KINDS[tensor.meta], tensor, recorded, mutator)
        return False
    own = requires_of(tensor)
    if own is False:
        return True
    if base is not None and base.requires is not False and base.node is None:
        findings.leaf_written(state, "leaf-view-inplace", tensor, mutator)
        return False
    if tensor.node is None:  # so is a view from before its base was tracked, until it is read
        findings.leaf_written(state, "leaf-inplace", tensor, mutator)
        return False
    return True


def bump(state: State, tensor: Tensor, mutator: str, doubt: str | None = None) -> None:
    """A counted write: the version rises and the bytes change."""
    write = _write(state, tensor, mutator, doubt)
    tensor.counter.writes.append(write)
    tensor.memory.writes.append(write)
    lender = root_of(tensor).lender
    if lender is not None:
        findings.lent_written(state, tensor, lender, write)
    if tensor.inference and not state.modes.inference and not tensor.writable:
        findings.inference_written(state, tensor, mutator)


def write_silently(state: State, tensor: Tensor, mutator: str, how: str) -> None:
    """Bytes change and no counter moves."""
    write = _write(state, tensor, mutator, None)
    write.how = how
    tensor.memory.writes.append(write)


def _write(state: State, tensor: Tensor, mutator: str, doubt: str | None) -> Write:
    return Write(
        state.place(),
        mutator,
        tensor.name,
        state.via(),
        hidden=state.silent > 0,
        doubt=doubt or tensor.doubt,
        how=tensor.unseen or "data",
        inside=state.modes.function,
    )


def record(state: State, tensor: Tensor, node: Node) -> None:
    """Give a tensor that was written in place its new history; a view passes it to its base."""
    base = tensor.base
    if base is None:
        tensor.node = node
        tensor.requires = either((tensor.requires, node.requires))
        tensor.made_up = tensor.made_up or node.made_up
        return
    copy = Node(
        state.next(), "CopySlices", node.site, either((node.requires, base.requires)), [node]
    )
    copy.owns_number = True
    old = base.node or (base if base.requires is not False else None)
    if old is not None:
        copy.edges.append(old)
    copy.made_up = node.made_up or base.made_up
    base.node = copy
    base.requires = copy.requires
    tensor.node = copy
    tensor.seen = tensor.counter.version


def view(state: State, tensor: Tensor, maker: str, multi: bool = False) -> Tensor:
    """A new view: same memory and counter, the root base of what it is taken from."""
    base = root_of(tensor)
    recorded = any_requires(state, [tensor])
    made = Tensor(
        tensor.memory,
        tensor.counter,
        requires=recorded,
        base=base,
        meta=_meta(state, tensor, multi),
        seen=tensor.counter.version,
        made=state.here(),
        maker=maker,
        dtype=tensor.dtype,
        expanded=tensor.expanded,
        noncontig=tensor.noncontig,
        inference=tensor.inference,
        made_up=tensor.made_up,
        doubt=tensor.doubt,
        name=tensor.name,
        unseen=tensor.unseen,
    )
    if recorded is not False:
        made.node = new_node(state, maker, recorded, [tensor])
    return made


def custom_view(state: State, tensor: Tensor, maker: str) -> Tensor:
    """A view that one of torch's own custom Functions returns."""
    made = view(state, tensor, maker)
    made.meta = CUSTOM
    return made


def _meta(state: State, tensor: Tensor, multi: bool) -> str:
    """The stricter of the source's meta and this op's.

    Of a tensor that does not require grad, several views are made as under no_grad.
    """
    if tensor.base is not None and tensor.meta != DEFAULT:
        return tensor.meta
    if state.modes.inference:
        return DEFAULT if tensor.inference else INFERENCE
    if not state.modes.grad:
        return NO_GRAD
    if multi:
        return NO_GRAD if requires_of(tensor) is False else MULTI
    return DEFAULT


def alias(state: State, tensor: Tensor, shares_counter: bool, unseen: str = "data") -> Tensor:
    """detach(), Parameter(t) (shared counter) or `.data` and the like (a counter of its own).

    `unseen`: how writes through an alias with its own counter escape ("data", "memory").
    """
    return Tensor(
        tensor.memory,
        tensor.counter if shares_counter else Counter(),
        made=state.here(),
        dtype=tensor.dtype,
        expanded=tensor.expanded,
        noncontig=tensor.noncontig,
        inference=tensor.inference and (shares_counter or unseen == "data"),
        writable=tensor.inference and not state.modes.inference,
        made_up=tensor.made_up,
        doubt=tensor.doubt,
        name=tensor.name,
        ndim=tensor.ndim,
        geometry=tensor.geometry,
        unseen=tensor.unseen if shares_counter or tensor.unseen == "memory" else unseen,
        lender=lender_of(tensor) if shares_counter else None,
    )


def lender_of(tensor: Tensor) -> Tensor | None:
    """The caller's tensor whose memory it is: an argument that may have a graph, or an alias."""
    root = root_of(tensor)
    if root.lender is not None:
        return root.lender
    own = root.requires
    lent = not isinstance(own, bool) and any(each.kind == "argument" for each in own)
    return root if lent and root.maker == "argument" else None


RANKS = ("bool", "int", None, "float", "complex")
"""Dtypes in the order of type promotion; an unknown one is most often a float."""


def promoted(operands: list[Tensor]) -> str | None:
    """The dtype of a result by type promotion."""
    return max((operand.dtype for operand in operands), key=RANKS.index, default=None)


OVERLAPS = "the new shape is larger"
"""The doubt about what expand() gave: for its own elements, not for what is computed of it."""


def fresh(state: State, operands: list[Tensor], maker: str) -> Tensor:
    """A new tensor of its own memory, without history."""
    doubts = [_doubt(operand) for operand in operands]
    return Tensor(
        Memory(),
        Counter(),
        made=state.here(),
        maker=maker,
        dtype=promoted(operands),
        inference=state.modes.inference,
        made_up=any(operand.made_up for operand in operands),
        doubt=doubts[0] if doubts and all(doubts) else None,
    )


def _doubt(operand: Tensor) -> str | None:
    """What is doubtful of a result, too."""
    return None if operand.doubt == OVERLAPS else operand.doubt
