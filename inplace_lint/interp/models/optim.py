"""Optimizers: they own parameters, and `step()` changes those that may have a gradient."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    DictValue,
    External,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import autograd, calls, generic, ownership, unknowns
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.interp.state import State

NAMES = (
    "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam ASGD Rprop LBFGS Adafactor Muon "
    "SparseAdam"
).split()


@dataclass(slots=True)
class Owned:
    """The payload of an optimizer: its parameters in groups, and whether its kernel is fused."""

    params: list[Tensor] = field(default_factory=list)
    groups: ListValue = field(default_factory=ListValue)
    fused: bool = False


@model(*(f"optim.{name}.__init__" for name in NAMES), "optim.Optimizer.__init__")
def initialise(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    given = call.get(1, "params")
    if isinstance(obj, Instance):
        obj.native = own(state, given)
        fused = call.keywords.get("fused")
        obj.native.fused = fused is not None and literal(fused) is True
        obj.attrs["param_groups"] = obj.native.groups
    return NONE


@model(*(f"optim.{name}" for name in NAMES))
def construct(state: State, call: Call) -> Value:
    """`torch.optim.Adam(params)`"""
    obj = Instance(External("torch.optim.Optimizer"))
    initialise(state, Call([obj, *call.args], call.keywords, call.open))
    return obj


def own(state: State, given: Value | None) -> Owned:
    """Groups from a list of tensors, of dicts, or an unknown model's `.parameters()`."""
    owned = Owned()
    entries = _entries(state, given)
    plain: list[Value] = []
    for entry in entries:
        if isinstance(entry, DictValue):
            _add_group(state, owned, entry)
        else:
            plain.append(entry)
    if plain or not entries:
        _add_group(state, owned, DictValue({"params": ListValue(plain)}))
    return owned


def _entries(state: State, given: Value | None) -> list[Value]:
    value = settle(given) if given is not None else NONE
    if isinstance(value, (ListValue, TupleValue)):
        return [settle(item) for item in value.items]
    if isinstance(value, DictValue):
        return [settle(item) for item in value.entries.values()]
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, Unknown):
        return _of_unknown(state, value)
    return []


def _of_unknown(state: State, value: Unknown) -> list[Value]:
    """Parameters handed in from elsewhere, or made by an unknown model."""
    weight = value.attrs.get("<weight>")
    if isinstance(weight, Tensor):
        return [weight]
    return [unknowns.item(state, value, 0)]


def _add_group(state: State, owned: Owned, group: DictValue) -> None:
    params = _entries(state, group.entries.get("params"))
    tensors = [p for p in params if isinstance(p, Tensor)]
    owned.params += [p for p in tensors if p not in owned.params]
    group.entries["params"] = ListValue(params)
    group.entries.setdefault("lr", Number(f"lr:{state.next()}"))
    owned.groups.items.append(group)


@model("optim.Optimizer.step")
def step(state: State, call: Call) -> Value:
    """Every parameter with a gradient is written; a closure runs first, with grad mode on."""
    obj = settle(call.args[0])
    closure = call.get(1, "closure")
    value: Value = NONE
    if closure is not None and settle(closure) is not NONE:
        value = calls.call(state, closure, Call([]))
    if isinstance(obj, Instance) and isinstance(obj.native, Owned):
        step_params(state, obj.native.params, obj.native.fused)
    return value


def step_params(state: State, params: list[Tensor], fused: bool = False) -> None:
    """Write the parameters that have a gradient."""
    for param in params:
        if param.grad is None:
            continue
        if fused:
            autograd.write_silently(state, param, "step()", "kernel")
        else:
            autograd.bump(state, param, "step()")


@model("optim.Optimizer.zero_grad")
def zero_grad(state: State, call: Call) -> Value:
    """Drops the gradients, or zeroes them in place."""
    obj = settle(call.args[0])
    params = (
        obj.native.params if isinstance(obj, Instance) and isinstance(obj.native, Owned) else []
    )
    clear(state, params, call.get(1, "set_to_none"))
    return NONE


def clear(state: State, params: list[Tensor], to_none: Value | None) -> None:
    """zero_grad() over parameters."""
    known = literal(to_none) if to_none is not None else True
    for param in params:
        if known is False and isinstance(param.grad, Tensor):
            autograd.bump(state, param.grad, "zero_grad()")
        else:
            param.grad = None


@model("optim.Optimizer.add_param_group")
def add_param_group(state: State, call: Call) -> Value:
    obj, group = settle(call.args[0]), call.get(1, "param_group")
    settled = settle(group) if group is not None else NONE
    if (
        isinstance(obj, Instance)
        and isinstance(obj.native, Owned)
        and isinstance(settled, DictValue)
    ):
        _add_group(state, obj.native, settled)
    return NONE


@model("optim.Optimizer.state_dict", "optim.Optimizer.load_state_dict")
def state_dict(state: State, call: Call) -> Value:
    return DictValue(rest=Number(f"value:{state.next()}"))


@model("unknown.step")
def unknown_step(state: State, call: Call) -> Value:
    """`opt_d.step()` of an optimizer from elsewhere: it owns the model its name points to."""
    obj = settle(call.args[0])
    if not isinstance(obj, Unknown) or len(call.args) > 1:
        return NONE
    given = [tensor for tensor in obj.operands if tensor.role == "parameter"]
    if given:
        step_params(state, given)
    elif _looks_like_optimizer(obj):
        for model_value in _models_of(state, obj):
            step_params(state, _params(state, model_value))
    return NONE


def _looks_like_optimizer(obj: Unknown) -> bool:
    """By its name, or because its gradients were zeroed; environments and schedulers step too."""
    named = any(word.startswith(OPTIMIZER_STEMS) for word in _words(obj.name))
    return named or ZEROED in obj.attrs


def _params(state: State, value: Value) -> list[Tensor]:
    if isinstance(value, Unknown):
        weight = value.attrs.get("<weight>")
        return [weight] if isinstance(weight, Tensor) else []
    return ownership.owned(value)


def _models_of(state: State, optimizer: Unknown) -> list[Value]:
    """The models in the frame's names that an optimizer's name fits; the only one there is."""
    words = set(_words(optimizer.name)) - OPTIMIZER_WORDS
    found: dict[str, Value] = {}
    for frame in reversed(state.frames):
        for name, value in list(frame.env.names.items()):
            value = settle(value)
            if ownership.is_module(value) or _is_model(value):
                found.setdefault(name, value)
        receiver = frame.receiver
        attrs = receiver.attrs if isinstance(receiver, Instance) else {}
        for name, value in attrs.items():
            value = settle(value)
            if ownership.is_module(value) or _is_model(value):
                found.setdefault(name, value)
    exact = [v for name, v in found.items() if words and words == set(_words(name))]
    named = exact or [v for name, v in found.items() if words and _fits(words, _words(name))]
    if named:
        return named
    distinct = list({id(v): v for v in found.values()}.values())
    return distinct if len(distinct) == 1 else []


ZEROED = "<zeroed>"
OPTIMIZER_STEMS = ("opt", "solver", "adam", "sgd", "rmsprop")
OPTIMIZER_WORDS = frozenset("opt optim optimizer optimiser self the".split())


def _words(name: str) -> list[str]:
    return [word for word in name.lower().replace(".", "_").split("_") if word]


def _fits(words: set[str], name: list[str]) -> bool:
    """`opt_d` fits `netD` and `discriminator`: a word of one begins with a word of the other."""
    joined = "".join(name)
    for word in words:
        stem = word.removeprefix("opt").removeprefix("imizer")
        for candidate in [*name, joined.removeprefix("net").removeprefix("model")]:
            if stem and (candidate.startswith(stem) or (len(stem) > 1 and stem in candidate)):
                return True
    return False


def _is_model(value: Value) -> bool:
    return isinstance(value, Unknown) and isinstance(value.attrs.get("<weight>"), Tensor)


@model("unknown.zero_grad")
def unknown_zero_grad(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Unknown):
        obj.attrs[ZEROED] = NONE
        for value in _models_of(state, obj) if not _is_model(obj) else [obj]:
            clear(state, _params(state, value), None)
    return NONE


@model("unknown.parameters")
def unknown_parameters(state: State, call: Call) -> Value:
    """Whoever has `.parameters()` is a model with a trained weight."""
    obj = settle(call.args[0])
    if isinstance(obj, Unknown):
        return ListValue([generic.weight_of(state, obj)])
    return ListValue([])


@model("unknown.named_parameters")
def unknown_named_parameters(state: State, call: Call) -> Value:
    """The weight of a model that is not in view, under its name."""
    obj = settle(call.args[0])
    if isinstance(obj, Unknown):
        return ListValue([TupleValue((Const("weight"), generic.weight_of(state, obj)))])
    return ListValue([])
