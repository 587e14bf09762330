"""Tensor objects and the autograd graph.

Names, attributes and list slots refer to `Tensor` objects; two tensors that share a `Memory` alias
each other. A view remembers its root base and how it was created (`meta`), which decides whether
it may be written in place. A `Node` is a grad_fn; its edges lead to the nodes of its operands, or
to the leaf tensors whose gradient is accumulated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain.memory import Counter, Memory

if TYPE_CHECKING:
    from inplace_lint.domain.geometry import Geometry
    from inplace_lint.domain.memory import Write
    from inplace_lint.domain.requires import Requires
    from inplace_lint.domain.values import Value
    from inplace_lint.ir.function import Site

DEFAULT, NO_GRAD, INFERENCE, MULTI, CUSTOM = "default", "no-grad", "inference", "multi", "custom"
"""How a view was created; all but DEFAULT forbid in-place writes that autograd tracks."""

VIEW_KINDS = {
    NO_GRAD: "nograd-view-inplace",
    INFERENCE: "nograd-view-inplace",
    MULTI: "multi-view-inplace",
    CUSTOM: "custom-view-inplace",
}
"""The outcome of a forbidden write, by the view's meta."""


@dataclass(slots=True, eq=False)
class Tensor:
    """One tensor object.

    requires  its own flag or its graph's answer (a view also asks its base)
    role      "plain", "parameter" or "buffer"
    dtype     "float", "int", "bool", "complex"; None when unknown (taken for float)
    made_up   stands for something not in view (an argument): nothing that rests on it is certain
    doubt     why it may not be a tensor, or not this one: findings on it are "possible"
    writable  an inference tensor that was detached outside: it has a counter, unlike its views
    region    what part of the base a view shows, where known, to tell overlapping writes
    geometry  shape and strides, where literals tell them
    swapped   a view of what is contiguous, whose last two dimensions alone change places
    unseen    how writes through it escape the counter of what it aliases: "data", "memory", ""
    unmarked  a custom Function's forward wrote it without mark_dirty
    lender    the caller's own tensor of which it is a detached alias
    """

    memory: Memory = field(default_factory=Memory)
    counter: Counter = field(default_factory=Counter)
    requires: Requires = False
    node: Node | None = None
    base: Tensor | None = None
    meta: str = DEFAULT
    seen: int = 0
    made: Site | None = None
    maker: str = ""
    role: str = "plain"
    dtype: str | None = None
    expanded: bool = False
    noncontig: bool = False
    ndim: int | None = None
    inference: bool = False
    writable: bool = False
    made_up: bool = False
    doubt: str | None = None
    name: str | None = None
    grad: Value | None = None
    region: object | None = None
    geometry: Geometry | None = None
    swapped: bool = False
    unseen: str = ""
    unmarked: Write | None = None
    lender: Tensor | None = None
    attrs: dict[str, Value] = field(default_factory=dict)
    hooks: list[Value] = field(default_factory=list)
    late_hooks: list[Value] = field(default_factory=list)
    elements: dict[object, Value] = field(default_factory=dict)


Edge: TypeAlias = "Node | Tensor"


@dataclass(slots=True, eq=False)
class Saved:
    """One saved entry of a node: the tensor, and how long its logs were at the save.

    `needs` is the answer it hangs on by itself (`x if other`: that of `other`); `is_result` for an
    output of the op; `checked` is False under saved-tensor hooks, where PyTorch compares no
    versions; `keeps_memory` for entries that keep the memory they were made with (Linear's
    weight.t()); `statistics` for running statistics saved in training mode, which backward does
    not read; `unseen` how writes escape an entry with a counter of its own (kron: "kernel");
    `backend` names the assumption where backends differ in what they keep;
    `on_ctx` for what a custom Function keeps as an attribute of ctx, where nothing is
    compared.
    """

    tensor: Tensor
    memory: Memory
    counter: Counter
    version: int
    length: int
    needs: Requires
    role: str
    site: Site
    is_result: bool = False
    checked: bool = True
    keeps_memory: bool = False
    statistics: bool = False
    doubt: str | None = None
    on_ctx: bool = False
    unseen: str = ""
    backend: str = ""


@dataclass(slots=True, eq=False)
class Node:
    """A grad_fn. `seq` rises with creation; `requires` is the answer it exists under."""

    seq: int
    op: str
    site: Site
    requires: Requires
    edges: list[Edge] = field(default_factory=list)
    saved: list[Saved] = field(default_factory=list)
    owns_number: bool = False
    freed: Site | None = None
    function: object | None = None
    hooks: list[Value] = field(default_factory=list)
    made_up: bool = False
    doubt: str | None = None
    capture: frozenset[str] = frozenset()
    stale: list[tuple[Tensor, Write]] = field(default_factory=list)
    """operands that a custom Function had changed without the graph's knowledge"""


def root_of(tensor: Tensor) -> Tensor:
    """The root base of a view; the tensor itself when it is none."""
    return tensor.base if tensor.base is not None else tensor
