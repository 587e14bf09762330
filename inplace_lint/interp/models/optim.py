"""Optimizers: they own parameters, and `step()` changes those that may have a gradient."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

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
from inplace_lint.interp import autograd, calls, containers, generic, ownership, unknowns
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        _fill(obj.native.groups, call.get(2, "defaults"))
        obj.attrs["param_groups"] = obj.native.groups
    return NONE


def _fill(groups: ListValue, defaults: Value | None) -> None:
    """What a group leaves open is taken from the defaults, as `Optimizer.__init__` does."""
    known = settle(defaults) if defaults is not None else NONE
    if not isinstance(known, DictValue):
        return
    for group in groups.items:
        assert isinstance(group, DictValue)
        containers.fill(group, known)


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


CLIPS = ("clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_")


@model(*(f"utils.{name}" for name in CLIPS))
def clip(state: State, call: Call) -> Value | None:
    """The gradients are written; the row of the table tells what comes back."""
    given = call.get(0, "parameters")
    for param in containers.tensors_in(given) if given is not None else []:
        if isinstance(param.grad, Tensor):
            autograd.bump(state, param.grad, "clip_grad_()")
    return None


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
    elif _looks_like_optimizer(obj, list(_in_view(state))):
        for model_value in _models_of(state, obj):
            step_params(state, _params(state, model_value))
    return NONE


def _looks_like_optimizer(obj: Unknown, view: View) -> bool:
    """By its name, or because its gradients were zeroed; environments and schedulers step too."""
    words = {*_words_of(obj, view), *_words(obj.name.partition("[")[0])}
    return any(word.startswith(OPTIMIZER_STEMS) for word in words) or ZEROED in obj.attrs


def _params(state: State, value: Value) -> list[Tensor]:
    if isinstance(value, Unknown):
        weight = value.attrs.get("<weight>")
        return [weight] if isinstance(weight, Tensor) else []
    return ownership.owned(value)


def _models_of(state: State, optimizer: Unknown) -> list[Value]:
    """The models in the frame's names that an optimizer's name fits; else the one that is left.

    Left are those that no other optimizer owns or is named like, or of them the one that has
    gradients; none is where another optimizer is named like no model either: each may own a part.
    """
    view = list(_in_view(state))
    models = [(name, v) for name, v in view if ownership.is_module(v) or _is_model(v)]
    named = _named_like(optimizer, view, models)
    if named:
        return named
    others = [v for _, v in view if isinstance(v, Unknown) and v is not optimizer]
    steppers = {id(v): v for v in others if _looks_like_optimizer(v, view)}.values()
    theirs = [_named_like(other, view, models) for other in steppers]
    if not all(theirs):
        return []
    taken = {id(m) for named in theirs for m in named}
    owned = {id(p) for _, v in view for p in _owned_by(v)}
    taken |= {id(v) for _, v in models if owned and owned.issuperset(map(id, _params(state, v)))}
    left = list({id(v): v for _, v in models if id(v) not in taken}.values())
    if len(left) > 1:
        left = [v for v in left if any(param.grad is not None for param in _params(state, v))]
    return left if len(left) == 1 else []


def _owned_by(value: Value) -> list[Tensor]:
    """The parameters that an optimizer built in view owns."""
    native = value.native if isinstance(value, Instance) else None
    return native.params if isinstance(native, Owned) else []


View: TypeAlias = "list[tuple[str, Value]]"


def _in_view(state: State) -> Iterator[tuple[str, Value]]:
    """What the frames' names and their objects' attributes stand for, nearest first."""
    seen: set[str] = set()
    for frame in reversed(state.frames):
        attrs = frame.receiver.attrs if isinstance(frame.receiver, Instance) else {}
        for name, value in [*frame.env.names.items(), *attrs.items()]:
            if name not in seen:
                seen.add(name)
                yield name, settle(value)
                yield from _items(settle(value))


def _items(value: Value) -> Iterator[tuple[str, Value]]:
    """What a container holds under keys, by key: `nets["d"]` goes by the name `d`."""
    if isinstance(value, DictValue):
        yield from ((str(key), settle(item)) for key, item in value.entries.items())
    elif isinstance(value, Unknown):
        yield from (
            (slot.strip("[]'\""), settle(item))
            for slot, item in value.attrs.items()
            if slot.startswith("[")
        )


def _named_like(optimizer: Unknown, view: View, models: View) -> list[Value]:
    """The models whose name an optimizer's name fits, those of the very same name alone."""
    words = _words_of(optimizer, view) - OPTIMIZER_WORDS
    exact = [v for name, v in models if words and words == set(_words(name))]
    return exact or [v for name, v in models if words and _fits(words, _words(name))]


def _words_of(value: Unknown, view: View) -> set[str]:
    """The words of the names a value goes by."""
    names = [value.name, *(name for name, other in view if other is value)]
    return {word for name in names for word in _words(name)}


ZEROED = "<zeroed>"
OPTIMIZER_STEMS = ("opt", "solver", "adam", "sgd", "rmsprop")
OPTIMIZER_WORDS = frozenset("opt optim optimizer optimiser self the".split())


def _words(name: str) -> list[str]:
    """The words of a name; of an item that goes by a key, those of the key."""
    key = name.lower().rpartition("[")[2] if name.endswith("]") else name.lower()
    words = re.split(r"[^a-z0-9]+", key)
    return [word for word in words if word and not word.isdigit()]


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


@model("unknown.param_groups")
def unknown_groups(state: State, call: Call) -> Value:
    """The groups of an optimizer from elsewhere: of the model its name points to, else its own."""
    obj = settle(call.args[0])
    assert isinstance(obj, Unknown)
    params = [p for found in _models_of(state, obj) for p in _params(state, found)]
    params = params or [ownership.trained_weight(state, obj.name or "the optimizer")]
    rest = Unknown(f"{obj.key}.param_groups", "attribute", f"{obj.name}.param_groups")
    group = DictValue({"params": ListValue(list(params))}, rest=rest)
    return ListValue([group], rest=Unknown(f"{obj.key}.param_groups[]", "attribute", rest.name))
