"""What an op keeps for its backward, as its row says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.requires import either
from inplace_lint.domain.values import NONE, Const, Number, settle
from inplace_lint.interp import autograd, merging
from inplace_lint.interp.operation import entities_of, lookup, tensors_of
from inplace_lint.opdb.model import Entity

if TYPE_CHECKING:
    from inplace_lint.domain.requires import Requires
    from inplace_lint.domain.tensor import Node, Tensor
    from inplace_lint.interp.operation import Operation
    from inplace_lint.interp.state import State
    from inplace_lint.opdb.model import Condition, Entry, OpRule

CAST = frozenset(
    "linear matmul mm bmm addmm addbmm baddbmm mv addmv einsum conv1d conv2d conv3d "
    "conv_transpose1d conv_transpose2d conv_transpose3d prelu F.linear nn.Linear nn.Bilinear "
    "nn.Conv1d nn.Conv2d nn.Conv3d nn.ConvTranspose1d nn.ConvTranspose2d nn.ConvTranspose3d "
    "nn.LSTM nn.GRU nn.RNN nn.LSTMCell nn.GRUCell nn.RNNCell op:@ F.conv1d F.conv2d F.conv3d "
    "F.scaled_dot_product_attention nn.MultiheadAttention".split()
)
"""Ops that autocast runs on low-precision copies: they save those, not the operands."""


def _needs(operation: Operation, entry: Entry) -> Requires:
    """The answer an entry hangs on by itself: `x if a|b`."""
    if not entry.needs:
        return True
    answers = []
    for name in entry.needs:
        base, _, attr = name.partition(".")
        entity = Entity("attr", attr) if base == "self" and attr else Entity("param", name)
        answers += [autograd.requires_of(t) for t in tensors_of(operation, entity)]
    return either(answers)


def keeps_clone(operation: Operation) -> bool:
    """An in-place op that keeps a private copy of what it overwrites has something to free."""
    entries = operation.rule.clones
    return bool(entities_of(operation, entries)) and any(
        _needs(operation, entry) is not False for entry in entries
    )


ON_CPU, ON_CUDA = "it runs on the CPU", "it runs on CUDA"


def _saves(rule: OpRule) -> list[tuple[Entry, str]]:
    """What is kept, and the backend that an entry hangs on where they differ."""
    elsewhere = rule.backends.get("cuda")
    if elsewhere is None:
        return [(entry, "") for entry in rule.saves]
    here = [(e, "" if _kept(e, elsewhere) else ON_CPU) for e in rule.saves]
    return here + [(e, ON_CUDA) for e in elsewhere if not _kept(e, rule.saves)]


def _kept(entry: Entry, entries: tuple[Entry, ...]) -> bool:
    """Whether one of the entries keeps the same, on no other condition."""
    return any(e.entity == entry.entity and e.needs in ((), entry.needs) for e in entries)


def _doubt(operation: Operation, entry: Entry) -> str | None:
    """What the row says that nobody can decide about this entry."""
    name = entry.entity.base if entry.entity.base == "ret" else entry.entity.name
    for remark in operation.rule.maybe:
        spoken = "*" in remark.entities or name in remark.entities
        if spoken and _may_hold(operation, remark.when):
            return remark.text
    return None


def _may_hold(operation: Operation, when: Condition | None) -> bool:
    return when is None or when.holds(lambda name: lookup(operation, name)) is not False


def keeps_number(operation: Operation) -> bool:
    """A number in the place of a tensor that is saved (`x.mul(2)`): the node keeps it."""
    saved = (e for e in operation.rule.saves if e.entity.base == "param")
    return any(
        isinstance(settle(operation.bound.get(entry.entity.name, NONE)), Const | Number)
        and operation.bound.get(entry.entity.name) is not NONE
        and _needs(operation, entry) is not False
        for entry in saved
    )


WHOLE = frozenset({"lstm.input", "nn.LSTM"})
"""Ops that keep all of their lists, whatever requires grad."""


def _order(tensors: list[Tensor]) -> str | None:
    """Of several tensors in one list, which are kept depends on which of them require grad.

    Indices never do: they are all kept.
    """
    sure = all(autograd.requires_of(tensor) is True for tensor in tensors)
    indices = all(tensor.dtype in autograd.WITHOUT_GRAD for tensor in tensors)
    return None if len(tensors) < 2 or sure or indices else "the op keeps this one of its tensors"


def save(state: State, operation: Operation, node: Node, results: list[Tensor]) -> None:
    """Record on the node what the row says of inputs and results."""
    save_inputs(state, operation, node)
    save_results(state, operation, node, results)


def save_inputs(state: State, operation: Operation, node: Node) -> None:
    if state.modes.autocast and operation.rule.id in CAST:
        return
    rewritten = entities_of(operation, operation.rule.mut_silent)
    for entry, backend in _saves(operation.rule):
        if entry.entity.base == "ret":
            continue
        holds = entry.when is None or entry.when.holds(lambda name: lookup(operation, name))
        needs = _needs(operation, entry)
        if holds is False or needs is False:
            continue
        tensors = tensors_of(operation, entry.entity)
        doubt = None if operation.rule.id in WHOLE else _order(tensors)
        doubt = entry.when.text if entry.when is not None and not holds else doubt
        doubt = doubt or _doubt(operation, entry)
        if entry.entity.name in INNER_VIEWS.get(operation.rule.id, ()):
            tensors = [autograd.view(state, t, operation.label, multi=True) for t in tensors]
        for tensor in tensors:
            whole = merging.goes_in_as_it_is(operation, entry.entity.name, tensor)
            saved = None if whole is False else autograd.save(state, node, tensor, needs)
            if saved is not None:
                saved.doubt = saved.doubt or doubt or (None if whole else MERGED)
                saved.keeps_memory = operation.rule.id in {"linear", "F.linear", "nn.Linear"}
                saved.statistics = tensor in rewritten
                saved.backend = backend


MERGED = "the op need not copy it to merge its dimensions"
_STATE = frozenset({"hx"})
INNER_VIEWS = {
    **dict.fromkeys(("gru.input", "rnn_tanh.input", "rnn_relu.input", "nn.GRU", "nn.RNN"), _STATE),
    "py:F.multi_head_attention_forward": frozenset({"in_proj_weight"}),
}
"""Operands of which these ops keep not themselves but pieces, views that may not be written."""


def save_results(state: State, operation: Operation, node: Node, results: list[Tensor]) -> None:
    """Save what the row keeps of its results."""
    for entry, backend in _saves(operation.rule):
        if entry.entity.base != "ret":
            continue
        if entry.when is not None and not entry.when.holds(lambda n: lookup(operation, n)):
            continue
        index = entry.entity.index
        needs = _needs(operation, entry)
        wanted = results if index < 0 else results[index : index + 1]
        for tensor in wanted if needs is not False else ():
            saved = autograd.save(state, node, tensor, needs, result=True)
            if saved is not None:
                saved.doubt = saved.doubt or _doubt(operation, entry)
                saved.backend = backend
