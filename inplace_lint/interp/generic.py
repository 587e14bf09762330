"""Callees that are not in view: unknown functions, and modules from elsewhere.

An unknown callee neither mutates nor aliases. One that is used as a model owns one trained weight,
which each call saves; it is what an optimizer over its `.parameters()` steps (assumption: "the
weights of NAME are trained").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.requires import either
from inplace_lint.domain.tensor import Node, Tensor
from inplace_lint.domain.values import External, Instance, Number, Unknown, settle
from inplace_lint.interp import autograd, ownership, rows, unknowns

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import State

NO_MODEL = (
    "loss criterion fn func metric env sched scheduler transform act activation callback hook log "
    "logger writer print collate reward step hparams config cfg args opt optimizer optim timer "
    "rank progress sampler dataset loader tokenizer processor preprocess augment norm_layer "
    "act_layer cls factory builder get make build create init sum mean size shape item"
).split()
"""Words in a callee's name that say it is no model with weights of its own."""

WEIGHTLESS = ("torchvision.transforms.", "torchvision.datasets.", "albumentations.", "PIL.")
"""Libraries whose objects own no weights: what they make of data is data."""

NO_MODULES = (
    *("loss", "criterion", "transform", "metric", "scheduler", "sampler", "tokenizer"),
    *("processor", "dataset", "loader", "distribution"),
)
"""How classes are called whose objects have no weights."""
SCALARS = frozenset("len range item size dim numel int float str".split())
ARRAYS = frozenset("astype tobytes to_numpy".split())
"""Methods of arrays and tables alone: what they give has no gradient."""


def call_unknown(state: State, func: Unknown, call: Call) -> Value:
    """Call an unknown value."""
    name = func.name.rpartition(".")[2]
    if name in SCALARS or name in ARRAYS:
        return Number(f"value:{state.next()}")
    operands = rows.tensors(call)
    weight = func.attrs.get("<weight>")
    if isinstance(weight, Tensor):
        return call_weighted(state, func.name or "it", weight, _going_on(call, operands))
    known = func.origin in {"argument", "module", "object"} or _of_models(func.name)
    if known and looks_like_model(func):
        own = weight_of(state, func)
        return call_weighted(state, func.name, own, _going_on(call, operands))
    result = unknowns.result(state, func.name or "call", operands, rows.has_tensors(call))
    result.doubt = func.doubt
    if func.origin == "data" or (is_weightless(func) and not operands):
        result.assume, result.origin = None, "data"
    return result


def _going_on(call: Call, operands: list[Tensor]) -> list[Tensor]:
    """Operands that a model's result leads to.

    A state that it is handed among others, and that was differentiated before, is taken to be
    detached there: few carry a graph over a backward on purpose.
    """
    values = [settle(value) for value in [*call.args, *call.keywords.values()]]
    given = {id(value) for value in values}
    given |= {id(t) for value in values if isinstance(value, Unknown) for t in value.operands}
    return [t for t in operands if id(t) in given or not _is_over(t)]


def _is_over(tensor: Tensor) -> bool:
    """Whether a backward has gone through a part of its graph."""
    pending, seen = [tensor.node], {id(tensor.node)}
    while pending:
        node = pending.pop()
        if node is None:
            continue
        if node.freed is not None:
            return True
        inner = [e for e in node.edges if isinstance(e, Node) and id(e) not in seen]
        seen.update(map(id, inner))
        pending += inner
    return False


def looks_like_model(func: Unknown) -> bool:
    """Whether a callee's name is one that people give to models."""
    name = func.name.lower()
    if not name or is_weightless(func):
        return False
    return not any(word in NO_MODEL for word in name.replace(".", "_").split("_"))


def is_weightless(func: Unknown) -> bool:
    """Whether a callee is an object of a library that trains nothing."""
    made = func.attrs.get("<class>")
    if isinstance(made, External) and made.path.startswith(WEIGHTLESS):
        return True
    return func.origin == "object" and func.name.lower().endswith(NO_MODULES)


MODELS = frozenset("models nets networks modules".split())


def _of_models(name: str) -> bool:
    """Whether it is an item of what is named as a collection of models: `nets["encoder"]`."""
    owner, bracket, _ = name.partition("[")
    return bool(bracket) and owner.strip(".").rpartition(".")[2].rpartition("_")[2] in MODELS


def weight_of(state: State, func: Unknown) -> Tensor:
    """The one weight of a generic module, made on first use."""
    weight = func.attrs.get("<weight>")
    if not isinstance(weight, Tensor):
        weight = ownership.trained_weight(state, func.name or "the model")
        func.attrs["<weight>"] = weight
        func.origin = "module"
    return weight


def call_weighted(state: State, name: str, weight: Tensor, operands: list[Tensor]) -> Value:
    """One forward of a generic module: its weight is saved, its result leads to what went in."""
    used = [weight, *operands]
    requires = autograd.any_requires(state, used)
    result = Unknown(f"value:{state.next()}", "result", "", site=state.here())
    if requires is False:
        result.origin, result.inference = "data", state.modes.inference
        return result
    made = autograd.fresh(state, operands, name)
    made.doubt, made.made_up = None, True
    own = autograd.requires_of(weight)
    node = autograd.new_node(state, name, either((own, requires)), used)
    node.made_up = True
    if not state.modes.autocast:
        autograd.save(state, node, weight)
    made.node, made.requires = node, node.requires
    result.operands = (made,)
    return result


def call_object(state: State, obj: Instance, call: Call) -> Value:
    """Call an instance whose class is partly a library's: no forward() in view."""
    operands = rows.tensors(call)
    if ownership.is_module(obj):
        weights = ownership.owned(obj)
        if weights:
            return call_weighted(state, obj.name or "the module", weights[0], operands)
    name = obj.name or _class_name(obj)
    return unknowns.result(state, name, operands)


def _class_name(obj: Instance) -> str:
    cls = obj.cls
    return (
        cls.path.rpartition(".")[2] if isinstance(cls, External) else getattr(cls, "name", "call")
    )
