"""nn.Module's own methods, containers of modules, and in-place modules inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    DictValue,
    External,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    Value,
    is_none,
    literal,
    settle,
)
from inplace_lint.interp import adoption, autograd, calls, containers, iterate, ownership, unknowns
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.models import library, optim
from inplace_lint.interp.state import Raised

if TYPE_CHECKING:
    from inplace_lint.domain.requires import Requires
    from inplace_lint.interp.state import State


# ---- containers ----------------------------------------------------------------------------


@model("nn.Sequential.__init__", "nn.ModuleList.__init__", "nn.ParameterList.__init__")
def init_list(state: State, call: Call) -> Value:
    """The children, given one by one, as a list, or as an ordered dict."""
    obj = settle(call.args[0])
    if not isinstance(obj, Instance):
        return NONE
    items = call.args[1:]
    only = settle(items[0]) if len(items) == 1 else NONE
    if isinstance(only, DictValue):
        items = list(only.entries.values())
        obj.attrs.update({str(name): child for name, child in only.entries.items()})
    elif isinstance(only, (ListValue, TupleValue)):
        items = iterate.items_for_loop(state, only)
    elif len(items) == 1 and is_none(only):
        items = []
    elif isinstance(only, Unknown) and call.open:
        items = [only]
    obj.native = ListValue([_parameter(state, obj, item) for item in items])
    obj.attrs.setdefault("training", TRUE)
    return NONE


def _parameter(state: State, obj: Instance, item: Value) -> Value:
    """ParameterList wraps plain tensors; whatever else is listed is a module."""
    value = settle(item)
    if isinstance(value, Unknown) and not ownership.lists_parameters(obj) and not value.operands:
        value.inside = True
    return ownership.kept(state, obj, item)


@model("nn.ModuleDict.__init__", "nn.ParameterDict.__init__")
def init_dict(state: State, call: Call) -> Value:
    obj, given = settle(call.args[0]), call.get(1, "modules")
    if isinstance(obj, Instance):
        obj.native = DictValue()
        containers.merge_dict(obj.native, settle(given) if given is not None else NONE)
        if isinstance(given, ListValue):
            for pair in given.items:
                key, value = iterate.items_for_unpack(state, settle(pair), 2, -1)
                containers.put(obj.native, key, value)
        _wrap_entries(state, obj, obj.native)
        obj.attrs.setdefault("training", TRUE)
    return NONE


def _wrap_entries(state: State, obj: Instance, entries: DictValue) -> None:
    for key, value in entries.entries.items():
        entries.entries[key] = ownership.kept(state, obj, value)


@model("nn.ModuleDict.update", "nn.ParameterDict.update")
def update(state: State, call: Call) -> Value:
    obj, given = settle(call.args[0]), settle(call.args[1])
    if isinstance(obj, Instance) and isinstance(obj.native, DictValue):
        containers.merge_dict(obj.native, given)
        _wrap_entries(state, obj, obj.native)
    return NONE


def _constructor(path: str) -> None:
    @model(path)
    def construct(state: State, call: Call) -> Value:
        return library.construct_row(state, path, call)


for _name in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"):
    _constructor(f"nn.{_name}")


@model("nn.Sequential.forward")
def sequential_forward(state: State, call: Call) -> Value:
    """Each child in turn; an empty one returns its input itself."""
    obj = settle(call.args[0])
    value = call.args[1] if len(call.args) > 1 else NONE
    items = (
        obj.native.items if isinstance(obj, Instance) and isinstance(obj.native, ListValue) else []
    )
    state.contained += 1
    try:
        for child in items:
            value = calls.call(state, child, Call([value]))
    finally:
        state.contained -= 1
    return value


@model(
    "utils.weight_norm",
    "utils.spectral_norm",
    "utils.remove_weight_norm",
    "torch.nn.utils.parametrizations.weight_norm",
    "torch.nn.utils.parametrizations.spectral_norm",
    "torch.nn.utils.parametrizations.orthogonal",
    "utils.parametrizations.weight_norm",
    "utils.parametrizations.spectral_norm",
    "utils.parametrizations.orthogonal",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
    "nn.SyncBatchNorm.convert_sync_batchnorm",
    "nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.DistributedDataParallel",
    "nn.DataParallel",
    "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
    "torch.distributed.fsdp.fully_shard",
    "torch.jit.trace",
)
def wrapped_module(state: State, call: Call) -> Value:
    """The module itself, as far as its calls go."""
    return call.args[0] if call.args else NONE


@model("nn.ModuleList.append", "nn.Sequential.append", "nn.ParameterList.append")
def append(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance) and isinstance(obj.native, ListValue):
        obj.native.items.append(_parameter(state, obj, call.args[1]))
    return obj


@model("nn.ModuleList.extend", "nn.Sequential.extend", "nn.ParameterList.extend")
def extend(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance) and isinstance(obj.native, ListValue):
        items = iterate.items_for_loop(state, settle(call.args[1]))
        obj.native.items += [ownership.kept(state, obj, item) for item in items]
    return obj


@model("nn.ModuleList.insert")
def insert(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance) and isinstance(obj.native, ListValue):
        position = literal(call.args[1])
        obj.native.items.insert(position if isinstance(position, int) else 0, call.args[2])
    return obj


@model("nn.ModuleDict.items", "nn.ParameterDict.items")
def dict_items(state: State, call: Call) -> Value:
    return calls.call_path(state, "dict.items", Call([_native(call)]))


@model("nn.ModuleDict.values", "nn.ParameterDict.values")
def dict_values(state: State, call: Call) -> Value:
    return calls.call_path(state, "dict.values", Call([_native(call)]))


@model("nn.ModuleDict.keys", "nn.ParameterDict.keys")
def dict_keys(state: State, call: Call) -> Value:
    return calls.call_path(state, "dict.keys", Call([_native(call)]))


def _native(call: Call) -> Value:
    obj = settle(call.args[0])
    native = obj.native if isinstance(obj, Instance) else None
    return native if isinstance(native, DictValue) else DictValue()


# ---- registration --------------------------------------------------------------------------


@model("nn.Module.__getattr__")
def missing(state: State, call: Call) -> Value:
    """Asked by a `__getattr__` of one's own for what is not there: AttributeError."""
    obj, name = settle(call.args[0]), literal(call.args[1]) if len(call.args) > 1 else None
    if isinstance(obj, Instance) and isinstance(name, str) and name in obj.attrs:
        return obj.attrs[name]
    raise Raised(Instance(External("builtins.AttributeError")))


@model("nn.Module.__init__", "nn.Module.__new__")
def init_module(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    if isinstance(obj, Instance):
        obj.attrs.setdefault("training", TRUE)
    return NONE


@model("nn.Module.register_buffer")
def register_buffer(state: State, call: Call) -> Value:
    obj, name, value = settle(call.args[0]), call.get(1, "name"), call.get(2, "tensor")
    value = settle(value) if value is not None else NONE
    if isinstance(value, Unknown):
        value = unknowns.become_tensor(state, value)
        value.requires, value.node, value.doubt = False, None, None
    if isinstance(value, Tensor):
        value.role = "buffer" if value.role == "plain" else value.role
    known = literal(name) if name is not None else None
    if isinstance(obj, Instance) and isinstance(known, str):
        obj.attrs[known] = value
        if isinstance(value, Tensor):
            value.name = value.name or f"self.{known}"
    return NONE


@model("nn.Module.register_parameter", "nn.Module.add_module", "nn.Module.register_module")
def register(state: State, call: Call) -> Value:
    obj, name, value = settle(call.args[0]), call.get(1, "name"), call.get(2, "param")
    known = literal(name) if name is not None else NotImplemented
    value = value if value is not None else call.keywords.get("module", NONE)
    if isinstance(obj, Instance):
        key = known if isinstance(known, str) else f"<{len(obj.attrs)}>"
        obj.attrs[key] = value
        if isinstance(obj.native, ListValue):
            obj.native.items.append(value)
    return NONE


@model("nn.Parameter", "nn.parameter.Parameter")
def parameter(state: State, call: Call) -> Value:
    data = call.get(0, "data")
    flag = call.get(1, "requires_grad")
    requires = literal(flag) is not False if flag is not None else True
    return _leaf(state, data, "parameter", requires)


@model("nn.Buffer", "nn.parameter.Buffer")
def buffer(state: State, call: Call) -> Value:
    """It requires grad where the tensor given does."""
    data = call.get(0, "data")
    given = settle(data) if data is not None else None
    requires = autograd.requires_of(given) if isinstance(given, Tensor) else False
    return _leaf(state, data, "buffer", requires)


def _leaf(state: State, data: Value | None, role: str, requires: Requires) -> Value:
    value = settle(data) if data is not None else NONE
    if isinstance(value, Unknown):
        value = unknowns.become_tensor(state, value)
    if isinstance(value, Tensor):
        return ownership.leaf_alias(state, value, role, requires)
    made = autograd.fresh(state, [], "nn.Parameter")
    made.role, made.requires = role, requires
    return made


# ---- traversal -----------------------------------------------------------------------------


@model("nn.Module.parameters")
def parameters(state: State, call: Call) -> Value:
    return ListValue(list(adoption.parameters(state, call.args[0]).values()))


@model("nn.Module.named_parameters")
def named_parameters(state: State, call: Call) -> Value:
    return _pairs(adoption.parameters(state, call.args[0]))


def _pairs(named: dict[str, Tensor]) -> ListValue:
    return ListValue([TupleValue((Const(name), tensor)) for name, tensor in named.items()])


@model("nn.Module.buffers")
def buffers(state: State, call: Call) -> Value:
    return ListValue(list(ownership.owned(call.args[0], "buffer")))


@model("nn.Module.named_buffers")
def named_buffers(state: State, call: Call) -> Value:
    return _pairs(ownership.named(call.args[0], "buffer"))


@model("nn.Module.modules")
def modules(state: State, call: Call) -> Value:
    return ListValue(ownership.modules(call.args[0]))


@model("nn.Module.named_modules")
def named_modules(state: State, call: Call) -> Value:
    found = ownership.named_modules(call.args[0])
    return ListValue([TupleValue((Const(name), module)) for name, module in found.items()])


@model("nn.Module.children")
def children(state: State, call: Call) -> Value:
    return ListValue([child for _, child in ownership.children(call.args[0])])


@model("nn.Module.named_children")
def named_children(state: State, call: Call) -> Value:
    found = ownership.children(call.args[0])
    return ListValue([TupleValue((Const(name), child)) for name, child in found])


@model("nn.Module.apply")
def apply(state: State, call: Call) -> Value:
    for module in reversed(ownership.modules(call.args[0])):
        calls.call(state, call.args[1], Call([module]))
    return call.args[0]


# ---- state ---------------------------------------------------------------------------------


@model("nn.Module.train")
def train(state: State, call: Call) -> Value:
    mode = call.get(1, "mode")
    return _set_training(call.args[0], mode if mode is not None else TRUE)


@model("nn.Module.eval")
def evaluate(state: State, call: Call) -> Value:
    return _set_training(call.args[0], FALSE)


def _set_training(obj: Value, mode: Value) -> Value:
    for module in ownership.modules(obj):
        if isinstance(module, Instance):
            module.attrs["training"] = mode
    return obj


@model("nn.Module.requires_grad_")
def requires_grad_(state: State, call: Call) -> Value:
    flag = call.get(1, "requires_grad")
    value = literal(flag) is not False if flag is not None else True
    for tensor in ownership.owned(call.args[0]):
        tensor.requires = value
    return call.args[0]


@model("nn.Module.zero_grad")
def zero_grad(state: State, call: Call) -> Value:
    optim.clear(state, ownership.owned(call.args[0]), call.get(1, "set_to_none"))
    return NONE


@model(
    "nn.Module.to",
    "nn.Module.cuda",
    "nn.Module.cpu",
    "nn.Module.float",
    "nn.Module.half",
    "nn.Module.double",
    "nn.Module.bfloat16",
    "nn.Module.share_memory",
    "nn.Module.to_empty",
    "nn.Module.type",
)
def same_module(state: State, call: Call) -> Value:
    return call.args[0]


@model("nn.Module.state_dict")
def state_dict(state: State, call: Call) -> Value:
    """Entries are detached aliases: shared counter."""
    found = {**ownership.named(call.args[0]), **ownership.named(call.args[0], "buffer")}
    entries: dict[object, Value] = {}
    for name, tensor in found.items():
        alias = autograd.alias(state, tensor, shares_counter=True)
        alias.role = tensor.role
        entries[name] = alias
    return DictValue(entries)


@model("nn.Module.load_state_dict")
def load_state_dict(state: State, call: Call) -> Value:
    """Copies into every parameter and buffer; `assign=True` replaces them."""
    assign = call.get(3, "assign")
    if assign is not None and literal(assign) is True:
        return NONE
    for tensor in [*ownership.owned(call.args[0]), *ownership.owned(call.args[0], "buffer")]:
        autograd.bump(state, tensor, "load_state_dict()")
    return NONE


@model("unknown.load_state_dict")
def unknown_load_state_dict(state: State, call: Call) -> Value:
    obj = settle(call.args[0])
    weight = obj.attrs.get("<weight>") if isinstance(obj, Unknown) else None
    if isinstance(weight, Tensor):
        autograd.bump(state, weight, "load_state_dict()")
    return NONE


@model(
    "unknown.to",
    "unknown.cuda",
    "unknown.cpu",
    "unknown.float",
    "unknown.half",
    "unknown.double",
    "unknown.bfloat16",
    "unknown.train",
    "unknown.eval",
    "unknown.apply",
    "unknown.requires_grad_",
)
def same_unknown(state: State, call: Call) -> Value:
    """A module or tensor where it is, as it is."""
    return call.args[0]


@model("unknown.forward")
def unknown_forward(state: State, call: Call) -> Value:
    """`module.forward(x)` is a call of the module, hooks apart."""
    return calls.call(state, call.args[0], Call(call.args[1:], call.keywords))


@model("unknown.size", "unknown.numpy")
def unknown_number(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}")


@model("unknown.get", "unknown.pop", "unknown.copy", "unknown.append")
@model("unknown.items", "unknown.values", "unknown.keys", "unknown.state_dict")
@model("unknown.modules", "unknown.children", "unknown.buffers")
def unknown_other(state: State, call: Call) -> Value:
    """Items of an unknown container keep what is known of it."""
    obj = settle(call.args[0])
    if isinstance(obj, Unknown):
        made = Unknown(f"value:{state.next()}", obj.origin, obj.name, obj.assume, doubt=obj.doubt)
        made.operands = obj.operands
        return made
    return Unknown(f"value:{state.next()}")


@model("nn.Module.reset_running_stats", "nn.Module.reset_parameters")
def reset(state: State, call: Call) -> Value:
    """Written anew in place, under no_grad."""
    name = "reset_running_stats()"
    for tensor in ownership.owned(call.args[0], "buffer"):
        autograd.bump(state, tensor, name)
    return NONE


@model("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def functional_call(state: State, call: Call) -> Value:
    """The module with other tensors in the place of its own."""
    if len(call.args) < 2:
        return Unknown(f"value:{state.next()}")
    given = call.get(2, "args") or TupleValue(())
    args = settle(given)
    items: list[Value] = list(args.items) if isinstance(args, (TupleValue, ListValue)) else [args]
    restored = _override(settle(call.args[0]), settle(call.args[1]))
    try:
        return calls.call(state, call.args[0], Call(items))
    finally:
        for attrs, name, value in restored:
            attrs[name] = value


def _override(obj: Value, by: Value) -> list[tuple[dict[str, Value], str, Value]]:
    """Put tensors in by dotted name; what was there, to be put back."""
    restored = []
    entries = by.entries if isinstance(by, DictValue) else {}
    for path, module in ownership.named_modules(obj).items():
        attrs = module.attrs if isinstance(module, Instance) else {}
        for name in list(attrs):
            value = entries.get(f"{path}.{name}" if path else name)
            if value is not None:
                restored.append((attrs, name, attrs[name]))
                attrs[name] = value
    return restored
