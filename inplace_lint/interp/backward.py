"""backward(): the walk over the graph that compares versions.

Nodes run latest first, each after all its consumers, since an edge leads to an earlier node. A
node unpacks all its entries, whatever gradient is wanted; afterwards, unless the graph is
retained, its entries are gone: later writes are fine, a second run is an error if it held any.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.story import Step
from inplace_lint.domain.tensor import DEFAULT, Node, Tensor
from inplace_lint.interp import findings, hooks, unknowns
from inplace_lint.interp.autograd import bump, edge_of, fresh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.domain.memory import Write
    from inplace_lint.domain.tensor import Edge, Saved
    from inplace_lint.interp.state import State


@dataclass(slots=True)
class Request:
    """One backward() or autograd.grad(): `inputs` limits the walk, `accumulate` fills `.grad`."""

    roots: list[Tensor]
    used: Step
    retain: bool = False
    create: bool = False
    inputs: list[Tensor] | None = None
    accumulate: bool = True
    seen: set[int] = field(default_factory=set)
    flows: dict[int, Flow] = field(default_factory=dict)
    parts: set[int] = field(default_factory=set)
    """nodes that are reached through a part of a result that was not differentiated before"""


@dataclass(slots=True, eq=False)
class Flow:
    """One gradient tensor on its way: who is handed it, and whether its elements share memory."""

    expanded: bool = False
    waiting: list[Node] = field(default_factory=list)


PASSING = frozenset("+ add add_ += AsStrided clone contiguous to sub".split())
"""Ops whose backward hands on the very gradient it got."""


def run(state: State, request: Request) -> None:
    """Walk the graph of the roots."""
    edges = [edge for edge in (edge_of(state, root) for root in request.roots) if edge is not None]
    wanted = None if request.inputs is None else _on_path(state, edges, request.inputs)
    ready: list[tuple[int, Node]] = []
    for edge in edges:
        _push(state, request, ready, edge)
    while ready:
        _, node = heapq.heappop(ready)
        if wanted is not None and id(node) not in wanted:
            continue
        is_new_part = node.op == unknowns.PART and node.freed is None
        _run_node(state, request, node)
        request.parts.update(id(edge) for edge in node.edges if is_new_part)
        for edge in node.edges:
            _flow(request, node, edge)
            _push(state, request, ready, edge)


def _flow(request: Request, node: Node, edge: Edge) -> None:
    """What gradient the edge carries; where two meet, their sum is a new tensor."""
    own = request.flows.setdefault(id(node), Flow())
    flow = own if node.op in PASSING else Flow(expanded=node.op == "sum")
    if id(edge) in request.flows:
        flow = Flow()
    request.flows[id(edge)] = flow
    if isinstance(edge, Node):
        flow.waiting.append(edge)


def _push(state: State, request: Request, ready: list[tuple[int, Node]], edge: Edge) -> None:
    if id(edge) in request.seen:
        return
    request.seen.add(id(edge))
    if isinstance(edge, Tensor):
        if request.accumulate and (request.inputs is None or edge in request.inputs):
            accumulate(state, edge, request)
        return
    heapq.heappush(ready, (-edge.seq, edge))


def _run_node(state: State, request: Request, node: Node) -> None:
    """Unpack the entries, run what belongs to the node, free it."""
    if node.freed is not None and (node.saved or node.owns_number):
        if state.backward is None:
            doubt = "parts of a result share a graph" if id(node) in request.parts else None
            findings.graph_freed(state, node, node.freed, request.used, doubt)
        return
    for entry in node.saved:
        if node.function is None:
            check(state, node, entry, request.used)
    for operand, write in node.stale:
        findings.unmarked(state, node, operand, write, request.used)
    hooks.run_node(state, node, request)
    if not (request.retain or request.create):
        node.freed = request.used.site


def check(state: State, node: Node, entry: Saved, used: Step) -> None:
    """Compare one entry with its tensor as it is now."""
    if not entry.checked:
        return
    write = changed_by(entry)
    if write is None:
        return
    if _stale_view(entry):
        findings.later_use_of_view(state, entry.tensor, write, used)
    else:
        findings.saved_changed(state, node, entry, write, used)


def _stale_view(entry: Saved) -> bool:
    """A saved view that may not be written: its base was, which is noticed before the version."""
    view, base = entry.tensor, entry.tensor.base
    if entry.is_result or base is None or view.meta == DEFAULT:
        return False
    return base.requires is not False and view.seen != view.counter.version


def changed_by(entry: Saved) -> Write | None:
    """The first write since the save that is told; None if there was none."""
    counted = entry.counter.writes[entry.version :]
    shown = entry.memory if entry.keeps_memory else entry.tensor.memory
    if not counted and shown.content() == entry.memory.content(entry.length):
        return None
    since = counted or entry.memory.writes[entry.length :]
    if entry.statistics and not counted:
        since = [write for write in since if write.how != "kernel"]
    if not counted and not since and entry.tensor.memory is not entry.memory:
        return None if entry.keeps_memory else _swap(entry)
    return next((write for write in since if not write.hidden), since[0] if since else None)


def _swap(entry: Saved) -> Write | None:
    """`p.data = v` gave the saved object other memory; the new one's log holds the write."""
    writes = entry.tensor.memory.writes
    return next((write for write in writes if write.how == "data"), None)


def accumulate(state: State, leaf: Tensor, request: Request) -> None:
    """AccumulateGrad: the first gradient is taken over, a further one added in place."""
    hooks.run_leaf(state, leaf, request)
    if isinstance(leaf.grad, Tensor):
        if request.create:
            leaf.grad = fresh(state, [leaf], "grad")
        else:
            bump(state, leaf.grad, "backward()")
    else:
        leaf.grad = fresh(state, [leaf], "grad")
        leaf.grad.name = f"{leaf.name}.grad" if leaf.name else "grad"
    hooks.run_late(state, leaf)


def _on_path(state: State, edges: Iterable[Edge], inputs: list[Tensor]) -> set[int]:
    """Nodes from which an input can be reached; the grad_fn of a non-leaf input does not run."""
    targets = {
        id(edge) for edge in (edge_of(state, tensor) for tensor in inputs) if edge is not None
    }
    reaches: dict[int, bool] = {}
    pending: list[tuple[Edge, bool]] = [(edge, False) for edge in edges]
    while pending:
        edge, done = pending.pop()
        if done and isinstance(edge, Node):
            hit = any(id(e) in targets or reaches.get(id(e), False) for e in edge.edges)
            reaches[id(edge)] = hit
        elif id(edge) not in reaches:
            reaches[id(edge)] = False
            pending.append((edge, True))
            if isinstance(edge, Node):
                pending.extend((inner, False) for inner in edge.edges)
    return {node for node, hit in reaches.items() if hit and node not in targets}
