"""A row of the table, put to work on tensors: the order of the steps matters.

1. is the op recorded?  2. may its targets be written?  3. save the inputs  4. write and bump
5. attach the history, save the results
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.domain.geometry import rows
from inplace_lint.domain.requires import either
from inplace_lint.domain.tensor import Node, Tensor, root_of
from inplace_lint.domain.values import (
    Const,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import autograd, findings, geometry, regions, unknowns, views
from inplace_lint.interp.containers import tensors_in
from inplace_lint.interp.operation import Operation, entities_of, lookup, operands_of, tensors_of
from inplace_lint.interp.saving import keeps_clone, keeps_number, save_inputs, save_results
from inplace_lint.interp.shapes import dtype_of, dtype_of_data
from inplace_lint.opdb.model import REQUIRED
from inplace_lint.opdb.resolve import possible_returns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inplace_lint.domain.geometry import Geometry
    from inplace_lint.domain.memory import Content
    from inplace_lint.domain.requires import Requires
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.opdb.model import OpRule, Returns


def apply(state: State, operation: Operation) -> Value:
    """Run the op; the value of the call."""
    return apply_all(state, [operation])[0]


def apply_all(state: State, operations: Sequence[Operation]) -> list[Value]:
    """Run an op on several elements at once: all is checked and saved before anything is written.

    The elements that PyTorch refuses come back as they are.
    """
    begun = [_begin(state, operation) for operation in operations]
    for operation, start in zip(operations, begun, strict=True):
        if start.refused is None:
            _write(state, operation, start.targets, operation.mutator or operation.label)
    pairs = zip(operations, begun, strict=True)
    return [
        start.refused or _result(state, operation, start.node, start.operands)
        for operation, start in pairs
    ]


@dataclass(slots=True)
class Begun:
    """An op whose inputs are checked and saved."""

    operands: list[Tensor]
    targets: list[Tensor]
    node: Node | None = None
    refused: Tensor | None = None


def _begin(state: State, operation: Operation) -> Begun:
    rule = operation.rule
    _promote(state, operation)
    operands = operands_of(operation)
    recorded = _recorded(state, rule, operands)
    targets = [] if geometry_kept(operation) else entities_of(operation, rule.mut)
    begun = Begun(operands, targets)
    mutator = operation.mutator or operation.label
    if operation.out is not None and not _out_allowed(state, operation, recorded, mutator):
        begun.refused = operation.out
        return begun
    for target in targets:
        own = operation.owner is not None and target in operation.owner.attrs.values()
        free = own or rule.id in UNCHECKED
        if not free and not autograd.check_inplace(state, target, recorded, mutator):
            begun.refused = target
            return begun
    if recorded is not False:
        begun.node = autograd.new_node(state, operation.label, recorded, operands)
        begun.node.owns_number = (
            rule.owns_number or keeps_clone(operation) or keeps_number(operation)
        )
        save_inputs(state, operation, begun.node)
    return begun


UNCHECKED = frozenset({"py:F.embedding", "py:F.embedding_bag"})
"""Functions that write to an operand with grad mode off (its rows are scaled to `max_norm`)."""


# ---- operands ------------------------------------------------------------------------------


def _promote(state: State, operation: Operation) -> None:
    """Unknown arguments in the place of a tensor are tensors from now on."""
    for param in operation.rule.sig:
        value = operation.bound.get(param.name)
        value = None if value is None else settle(value)
        if isinstance(value, Unknown) and param.kind == "tensor":
            optional = param.default is not REQUIRED
            doubt = "an optional argument is a tensor" if optional else None
            value = unknowns.become_tensor(state, value, doubt)
        elif isinstance(value, Tensor) and operation.owner is not None and param.kind == "tensor":
            unknowns.confirm_tensor(value)
        if isinstance(value, Tensor) and param.name in INDICES:
            _is_integer(value)
        elif isinstance(value, (ListValue, TupleValue)) and param.kind == "tensors":
            _promote_items(state, value)
        if value is not None and param.name in INTEGERS and operation.rule.id not in FLOATING:
            _take_for_integers(value)


INTEGERS = frozenset("index indices mask condition offsets repeats".split())
"""Parameters that take integers or flags alone, in every row but FLOATING."""
FLOATING = frozenset({"sparse_mask", "_spdiags"})


def _take_for_integers(value: Value) -> None:
    """What selects elements has no gradient, whatever it seemed to be."""
    for tensor in tensors_in(value):
        for part in (tensor, root_of(tensor)):
            if part.made_up and part.dtype is None:
                part.dtype = "int"


INDICES = frozenset("index indices mask condition".split())
"""Arguments under these names hold integers or booleans in every row of the table."""


def _is_integer(tensor: Tensor) -> None:
    """A tensor of unknown type that is used as an index has no gradient."""
    if tensor.made_up and not isinstance(tensor.requires, bool) and tensor.node is None:
        tensor.requires, tensor.dtype = False, "int"


def _promote_items(state: State, value: ListValue | TupleValue) -> None:
    for item in map(settle, value.items):
        if isinstance(item, Unknown):
            unknowns.become_tensor(state, item)


def _recorded(state: State, rule: OpRule, operands: list[Tensor]) -> Requires:
    if rule.no_derivative or rule.creates or not any(rule.diff):
        return False
    return autograd.any_requires(state, operands)


# ---- writes --------------------------------------------------------------------------------


def _out_allowed(state: State, operation: Operation, recorded: Requires, mutator: str) -> bool:
    """out= together with an argument that requires grad is refused.

    Who writes `out=` says that no gradient is wanted: only a forward()'s own input and weights
    speak louder.
    """
    out = operation.out
    assert out is not None
    own = autograd.any_requires(state, [out]) if not operation.rule.no_derivative else False
    answer = either((recorded, own))
    if answer is False:
        return True
    if not isinstance(answer, bool) and not any(a.main or a.kind == "weights" for a in answer):
        out.doubt = out.doubt or "it is called with such a one"
    findings.immediate(state, "out-requires-grad", out, answer, mutator)
    return False


def _write(state: State, operation: Operation, targets: list[Tensor], mutator: str) -> None:
    doubt = operation.doubts[0] if operation.doubts else None
    if operation.out is not None:
        targets = [*targets, operation.out]
    for target in targets:
        if _overlaps(operation, target):
            findings.immediate(state, "overlap", target, True, mutator)
        autograd.bump(state, target, mutator, doubt)
        _rewrite(operation, target)
        if operation.label == "copy_" and target.base is None and doubt is None:
            target.memory.writes[-1].puts = _content(operation, "src")
    for target in entities_of(operation, operation.rule.mut_silent):
        autograd.write_silently(state, target, mutator, "kernel")


RESHAPED = frozenset({"resize_", "as_strided_", "set_", "resize_as_"})
"""In-place ops that give a tensor another shape or memory, and write no element."""

READS_FIRST = frozenset(
    "addmm_ addbmm_ baddbmm_ addmv_ addr_ masked_fill_ masked_scatter_ index_fill_ fill_ "
    "zero_ set_ resize_ cumsum_ cumprod_".split()
)
"""Ops that may read what they write at another place."""


APART = frozenset(
    "put_ scatter_ scatter_add_ scatter_reduce_ index_copy_ index_add_ index_reduce_ "
    "index_put_ _index_put_impl_".split()
)
"""Ops whose source may not even be the very tensor that they write."""


def _overlaps(operation: Operation, target: Tensor) -> bool:
    """Whether PyTorch refuses the write: elements share memory, or the source overlaps it."""
    if operation.label in geometry.REWRITTEN or operation.label in RESHAPED:
        return False
    if target.expanded and not operation.rule.overlap_ok:
        return True
    if operation.label in READS_FIRST or operation.rule.kind != "op":
        return False
    given = [(n, settle(value)) for n, value in operation.bound.items() if n != "self"]
    sources = [value for _, value in given if isinstance(value, Tensor)]
    if operation.label in APART:
        return any(regions.meet(target, source) for source in sources)
    return any(regions.overlap(target, source) for source in sources if source is not target)


def geometry_kept(operation: Operation) -> bool:
    """`resize_` to the size it has: nothing is written, nothing counted."""
    if operation.label != "resize_":
        return False
    target, asked = settle(operation.bound["self"]), geometry.sizes(lookup(operation, "size"))
    known = target.geometry if isinstance(target, Tensor) else None
    return known is not None and asked == known.shape


def _rewrite(operation: Operation, target: Tensor) -> None:
    """In-place ops that change the geometry."""
    name = operation.label
    if name in geometry.REWRITTEN:
        args = _literals(operation, target.geometry)
        geometry.give(target, geometry.of_view(name[:-1], target.geometry, args, None))
    elif name in RESHAPED:
        asked = geometry.sizes(lookup(operation, "size")) if name == "resize_" else None
        geometry.give(target, rows(asked) if asked is not None else None)


def _literals(operation: Operation, shown: Geometry | None) -> list[object]:
    """The literal arguments behind the first; nobody asks for those of no geometry."""
    return [] if shown is None else _arguments(operation)


def _arguments(operation: Operation) -> list[object]:
    """The literal arguments behind the first, in the order of the signature; a module's own."""
    if operation.owner is not None:
        return [lookup(operation, param.name) for param in operation.rule.init]
    given = [p.name for p in operation.rule.sig[1:] if not p.keyword_only]
    return [lookup(operation, name) for name in given]


def _like(operation: Operation) -> Geometry | None:
    other = operation.bound.get("other")
    tensor = settle(other) if other is not None else None
    return tensor.geometry if isinstance(tensor, Tensor) else None


# ---- results -------------------------------------------------------------------------------


def _result(state: State, operation: Operation, node: Node | None, operands: list[Tensor]) -> Value:
    rule = operation.rule
    if operation.out is not None:
        return operation.out
    if rule.number:
        return Number(f"value:{state.next()}", rule.dtype)
    if rule.results == 0:
        return Const(None)
    possible = possible_returns(rule, lambda name: lookup(operation, name))
    returns = _choose(operation, possible)
    if returns.how == "new" or returns.entity is None:
        return _new(state, operation, node, operands)
    of = tensors_of(operation, returns.entity)
    if not of:
        return _new(state, operation, node, operands)
    return _existing(state, operation, returns, node, of[0])


def _choose(operation: Operation, possible: list[Returns]) -> Returns:
    """One alternative: what is certain, else by the geometry of the operand, else the last."""
    if len(possible) == 1 or not possible:
        return possible[0] if possible else operation.rule.ret[-1]
    first = possible[0]
    if first.when is not None:
        return next((r for r in possible if r.when is None), possible[-1])
    of = tensors_of(operation, first.entity) if first.entity is not None else []
    same = next((r for r in possible if r.how == "is"), None)
    if same is not None and of and _is_flat(operation, of[0]):
        return same
    new = next((r for r in possible if r.how == "new"), possible[-1])
    copies = _copies(operation, of[0]) if of else None
    if copies if copies is not None else of and of[0].noncontig:
        return new
    return next((r for r in possible if r.how != "new"), first)


def _is_flat(operation: Operation, tensor: Tensor) -> bool:
    """Whether flatten() has but one dimension to join: it hands the tensor back."""
    if _name(operation) != "flatten" or not tensor.ndim:
        return False
    bounds = [bound for bound in _arguments(operation)[:2] if isinstance(bound, int)]
    if len(bounds) != 2:
        return False
    first, last = (bound % tensor.ndim for bound in bounds)
    return first == last


def _name(operation: Operation) -> str:
    """What the geometry calls the op: modules by their functions."""
    name = operation.label
    return name.removeprefix("nn.").lower() if name.startswith("nn.") else name


def _copies(operation: Operation, tensor: Tensor) -> bool | None:
    args = _literals(operation, tensor.geometry)
    return geometry.copies(_name(operation), tensor.geometry, args, _like(operation))


def _existing(
    state: State, operation: Operation, returns: Returns, node: Node | None, tensor: Tensor
) -> Value:
    """is, view, views, alias, raw"""
    rule = operation.rule
    if returns.how == "is":
        if rule.mut and node is not None and tensor in entities_of(operation, rule.mut):
            autograd.record(state, tensor, node)
            save_results(state, operation, node, [tensor])
        return tensor
    if returns.how == "views" or (returns.how == "view" and rule.results != 1):
        return _several(state, operation, tensor, multi=returns.how == "views")
    if returns.how == "view":
        made = autograd.view(state, tensor, operation.label)
        args, like = _literals(operation, tensor.geometry), _like(operation)
        shown = geometry.of_view(_name(operation), tensor.geometry, args, like)
        _shape(made, rule, shown)
        made.swapped = not tensor.noncontig and _swaps_last(operation)
        if rule.expands and shown is None and _may_fit(operation, tensor):
            made.doubt = made.doubt or autograd.OVERLAPS
        return made
    if rule.results == -1:
        return TupleValue(_pieces(state, operation, node, tensor), owner=tensor)
    return autograd.alias(state, tensor, returns.how == "alias")


def _swaps_last(operation: Operation) -> bool:
    if _name(operation) == "transpose":
        return set(_arguments(operation)) == {-1, -2}
    return _name(operation) in {"mT", "adjoint", "mH"}


def _pieces(
    state: State, operation: Operation, node: Node | None, tensor: Tensor
) -> tuple[Tensor, ...]:
    """What unsafe_split() and its kin give: results of their own on the memory of the whole."""
    name = operation.label.removeprefix("unsafe_").removesuffix("_with_sizes")
    known = geometry.pieces(name, tensor.geometry, _literals(operation, tensor.geometry))
    made = []
    for shown in known[:LARGEST] if known is not None else [None] * _count(operation):
        piece = autograd.alias(state, tensor, shares_counter=False)
        geometry.give(piece, shown)
        piece.made_up = tensor.made_up
        if node is not None:
            piece.node, piece.requires = node, node.requires
        made.append(piece)
    return tuple(made)


def _may_fit(operation: Operation, tensor: Tensor) -> bool:
    """Whether the tensor may have the shape already: it was worked out from who knows what, or is
    that of another tensor, and there is no dimension to expand.
    """
    known = operation.bound.get("size")
    known = None if known is None else settle(known)
    if tensor.geometry is not None and 1 not in tensor.geometry.shape:
        return True
    items = known.items if isinstance(known, (ListValue, TupleValue)) else ()
    return bool(items) and all(isinstance(settle(item), Unknown) for item in items)


def _several(state: State, operation: Operation, tensor: Tensor, multi: bool) -> Value:
    """The views that chunk(), tensor_split() ... give: as many as are known, else a few."""
    known = geometry.pieces(operation.label, tensor.geometry, _literals(operation, tensor.geometry))
    if known is None:
        count = _count(operation)
        return TupleValue(views.split(state, tensor, operation.label, count, multi), owner=tensor)
    made = views.split(state, tensor, operation.label, min(len(known), LARGEST), multi)
    for view, shown in zip(made, known, strict=False):
        geometry.give(view, shown)
    return TupleValue(made, owner=tensor if len(known) > LARGEST else None)


LARGEST = 12
"""How many views of one tensor are told apart."""


def _count(operation: Operation) -> int:
    """How many views a multi-output op gives, where a literal says so."""
    for name in ("chunks", "split_size", "split_size_or_sections", "sections", "split_sizes"):
        known = lookup(operation, name)
        if name == "chunks" and isinstance(known, int):
            return max(1, min(known, 12))
        if isinstance(known, tuple):
            return len(known)
    return 3


def _shape(made: Tensor, rule: OpRule, known: Geometry | None) -> None:
    made.expanded = made.expanded or rule.expands
    made.noncontig = made.noncontig or rule.noncontig
    geometry.give(made, known)


def _new(state: State, operation: Operation, node: Node | None, operands: list[Tensor]) -> Value:
    """New tensors, one a result, with the history of the node."""
    rule = operation.rule
    made = []
    shown = _new_geometry(operation, operands)
    for position in range(max(rule.results, 1)):
        tensor = autograd.fresh(state, operands, operation.label)
        if rule.dtype:
            tensor.dtype = rule.dtype
        _shape(tensor, rule, shown if position == 0 else None)
        differs = rule.diff[position] if position < len(rule.diff) else rule.diff[-1]
        if node is not None and differs and tensor.dtype not in autograd.WITHOUT_GRAD:
            tensor.node, tensor.requires = node, node.requires
        if rule.creates:
            _created(operation, tensor)
        elif operation.label == "clone":
            tensor.memory.copied = _content(operation, "self")
        made.append(tensor)
    if node is not None:
        save_results(state, operation, node, made)
    if rule.results == 1 or _gives_one(operation):
        return made[0]
    if rule.results == -1:
        return ListValue(list(made))
    return TupleValue(tuple(made), rule.fields)


def _content(operation: Operation, name: str) -> Content | None:
    """The content of an operand that is no part of another tensor."""
    value = settle(operation.bound[name]) if name in operation.bound else None
    return value.memory.content() if isinstance(value, Tensor) and value.base is None else None


def _gives_one(operation: Operation) -> bool:
    """Whether the call returns its first result alone (max_pool2d without return_indices)."""
    when = operation.rule.first_when
    return when is not None and when.holds(lambda name: lookup(operation, name)) is not False


def _new_geometry(operation: Operation, operands: list[Tensor]) -> Geometry | None:
    name = operation.label
    if name == "tensor":
        shape = geometry.of_literal(operation.bound.get("data", Const(None)))
        return rows(shape) if shape is not None else None
    if name == "eye":
        high, wide = lookup(operation, "n"), lookup(operation, "m")
        shape = geometry.sizes((high, wide if isinstance(wide, int) else high))
        return rows(shape) if shape is not None else None
    if name in geometry.JOINED and "tensors" in operation.bound:
        operands = tensors_in(operation.bound["tensors"])  # one tensor may stand there twice
    shown = geometry.of_new(name, operands, lambda parameter: lookup(operation, parameter))
    if shown is None and operands:
        args, like = _literals(operation, operands[0].geometry), _like(operation)
        return geometry.moved_of(_name(operation), operands[0], args, like)
    return shown


def _created(operation: Operation, tensor: Tensor) -> None:
    """A factory's result: data, unless `requires_grad=True` is given."""
    bound = operation.bound
    known = dtype_of(bound["dtype"]) if "dtype" in bound else None
    if known is None and operation.label == "tensor" and "data" in bound:
        known = dtype_of_data(bound["data"])
    tensor.dtype = tensor.dtype or known or "float"
    flag = lookup(operation, "requires_grad")
    tensor.requires = flag is True and tensor.dtype not in autograd.WITHOUT_GRAD
    tensor.made_up, tensor.doubt = False, None
