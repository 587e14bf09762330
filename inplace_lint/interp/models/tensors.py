"""Tensor methods that are more than a row: backward, hooks, flags, conversions by dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.story import Step
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    External,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    literal,
    settle,
)
from inplace_lint.interp import (
    autograd,
    backward,
    containers,
    contexts,
    findings,
    geometry,
    unknowns,
)
from inplace_lint.interp.attributes import without_grad
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.shapes import DTYPES, dtype_of

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


def receiver(state: State, call: Call) -> Tensor | None:
    """The tensor a method is called on; an unknown one becomes it."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Unknown):
        return unknowns.become_tensor(state, value)
    return value if isinstance(value, Tensor) else None


def flag(call: Call, position: int, name: str, default: bool, unknown: bool | None = None) -> bool:
    """A literal flag; what is not known as `unknown` says, else as the default."""
    value = call.get(position, name)
    known = literal(value) if value is not None else default
    if known is NotImplemented and unknown is not None:
        return unknown
    return known if isinstance(known, bool) else default


def retains(call: Call, position: int, create: bool) -> bool:
    """Whether the graph stays; who computes `retain_graph` knows when it may go."""
    return flag(call, position, "retain_graph", create, unknown=True)


# ---- backward ------------------------------------------------------------------------------


@model("Tensor.backward")
def tensor_backward(state: State, call: Call) -> Value:
    root = receiver(state, call)
    if root is None:
        return NONE
    create = flag(call, 3, "create_graph", False)
    inputs = call.get(4, "inputs")
    request = backward.Request(
        [root],
        Step(state.here()),
        retain=retains(call, 2, create),
        create=create,
        inputs=containers.tensors_in(inputs) if inputs is not None else None,
    )
    backward.run(state, request)
    return NONE


@model("torch.autograd.backward")
def autograd_backward(state: State, call: Call) -> Value:
    create = flag(call, 3, "create_graph", False)
    roots = containers.tensors_in(call.args[0]) if call.args else []
    request = backward.Request(
        roots, Step(state.here()), retain=retains(call, 2, create), create=create
    )
    backward.run(state, request)
    return NONE


@model("torch.autograd.grad")
def autograd_grad(state: State, call: Call) -> Value:
    """Walks to the inputs only; the gradients carry a graph under create_graph."""
    outputs, inputs = call.get(0, "outputs"), call.get(1, "inputs")
    roots = containers.tensors_in(outputs) if outputs is not None else []
    _promote(state, inputs)
    wanted = containers.tensors_in(inputs) if inputs is not None else []
    create = flag(call, 4, "create_graph", False)
    request = backward.Request(
        roots,
        Step(state.here()),
        retain=retains(call, 3, create),
        create=create,
        inputs=wanted,
        accumulate=False,
    )
    backward.run(state, request)
    return _gradients(state, roots, wanted, create)


def _promote(state: State, inputs: Value | None) -> None:
    value = settle(inputs) if inputs is not None else NONE
    items = value.items if isinstance(value, (ListValue, TupleValue)) else [value]
    for item in map(settle, items):
        if isinstance(item, Unknown) and not item.operands and item.origin == "argument":
            unknowns.become_tensor(state, item)


def _gradients(state: State, roots: list[Tensor], wanted: list[Tensor], create: bool) -> Value:
    made: list[Value] = []
    for operands in [[tensor] for tensor in wanted] or [[]]:
        grad = autograd.fresh(state, operands, "autograd.grad")
        grad.doubt = None
        requires = autograd.any_requires(state, roots)
        if create and requires is not False:
            grad.node = autograd.new_node(state, "autograd.grad", requires, roots)
            grad.requires = requires
        made.append(grad)
    return TupleValue(tuple(made))


# ---- hooks and flags -----------------------------------------------------------------------


@model("Tensor.register_hook")
def register_hook(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is not None and len(call.args) > 1:
        node = autograd.grad_fn(state, tensor)
        hooks = node.hooks if node is not None else tensor.hooks
        hooks.append(call.args[1])
        return contexts.handle(hooks, call.args[1])
    return Unknown(f"value:{state.next()}")


@model("Tensor.register_post_accumulate_grad_hook")
def register_late_hook(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is not None and len(call.args) > 1:
        tensor.late_hooks.append(call.args[1])
        return contexts.handle(tensor.late_hooks, call.args[1])
    return Unknown(f"value:{state.next()}")


@model("Tensor.requires_grad_")
def requires_grad_(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is None:
        return NONE
    if tensor.inference and not state.modes.inference and flag(call, 1, "requires_grad", True):
        findings.inference_written(state, tensor, "requires_grad_")
    if tensor.node is None or autograd.requires_of(tensor) is not True:
        before = tensor.requires is not False
        tensor.requires = flag(call, 1, "requires_grad", True, unknown=before)
        tensor.node = None
        tensor.made = tensor.made or state.here()
    return tensor


@model("Tensor.detach_")
def detach_(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is None:
        return NONE
    tensor.node, tensor.requires = None, False
    return tensor


@model("Tensor.resize", "Tensor.resize_as")
def resize(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    return NONE if tensor is None else autograd.custom_view(state, tensor, "resize")


@model("Tensor.retain_grad", "Tensor.share_memory_")
def no_effect(state: State, call: Call) -> Value:
    return receiver(state, call) or NONE


@model("Tensor.size", "Tensor.dim", "Tensor.numel", "Tensor.stride", "Tensor.nelement")
def sizes(state: State, call: Call) -> Value:
    receiver(state, call)
    return Number(f"value:{state.next()}")


@model("Tensor.is_contiguous", "Tensor.is_complex", "Tensor.is_inference")
def flags(state: State, call: Call) -> Value:
    receiver(state, call)
    return Number(f"value:{state.next()}", "bool")


@model("Tensor.is_floating_point", "torch.is_floating_point")
def is_floating_point(state: State, call: Call) -> Value:
    """Known by dtype; where it is asked for and is false, nothing requires grad."""
    tensor = receiver(state, call)
    if tensor is None:
        return Number(f"value:{state.next()}", "bool")
    if tensor.dtype is not None:
        return Const(tensor.dtype == "float")
    return Number(f"float:{tensor.name or state.next()}", "bool", True, without_grad(state, tensor))


# ---- conversions ---------------------------------------------------------------------------


@model("Tensor.to", "Tensor.type", "Tensor.type_as")
def convert(state: State, call: Call) -> Value:
    """The same object when nothing changes; a copy for another dtype or `copy=True`."""
    tensor = receiver(state, call)
    if tensor is None:
        return NONE
    wanted = _wanted(call)
    changes = wanted is not None and tensor.dtype is not None and wanted != tensor.dtype
    narrowing = wanted in {"int", "bool", "complex"} and tensor.dtype in {None, "float"}
    if changes or narrowing or flag(call, 9, "copy", False) or _precision(call):
        return copy_as(state, tensor, wanted or tensor.dtype)
    return tensor


def _wanted(call: Call) -> str | None:
    for value in [*call.args[1:], *call.keywords.values()]:
        known = dtype_of(value)
        if known is not None:
            return known
        value = settle(value)
        if isinstance(value, Const) and isinstance(value.value, str):
            return DTYPES.get(value.value.removeprefix("torch."))
    return None


def _precision(call: Call) -> bool:
    """Whether a float dtype other than the default is asked for."""
    values = [settle(v) for v in [*call.args[1:], *call.keywords.values()]]
    other = ("torch.half", "torch.float16", "torch.bfloat16", "torch.double", "torch.float64")
    return any(isinstance(v, External) and v.path in other for v in values)


def copy_as(state: State, tensor: Tensor, dtype: str | None) -> Tensor:
    """A converted copy, with its place in the graph."""
    made = autograd.fresh(state, [tensor], "to")
    made.dtype = dtype
    geometry.give(made, geometry.of_new("to", [tensor], lambda _: None))
    requires = autograd.any_requires(state, [tensor])
    if requires is not False and dtype not in autograd.WITHOUT_GRAD:
        made.node = autograd.new_node(state, "to", requires, [tensor])
        made.requires = requires
    return made


CASTS = {"long": "int", "int": "int", "short": "int", "byte": "int", "bool": "bool", "char": "int"}


@model(*(f"Tensor.{name}" for name in CASTS))
def cast_to_int(state: State, call: Call) -> Value:
    return _cast(state, call, "int")


@model("Tensor.bool")
def cast_to_bool(state: State, call: Call) -> Value:
    return _cast(state, call, "bool")


def _cast(state: State, call: Call, dtype: str) -> Value:
    tensor = receiver(state, call)
    if tensor is None:
        return Number(f"value:{state.next()}")
    return tensor if tensor.dtype == dtype else copy_as(state, tensor, dtype)


@model("Tensor.half", "Tensor.double", "Tensor.bfloat16")
def cast_precision(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    return copy_as(state, tensor, "float") if tensor is not None else NONE


@model("Tensor.float")
def cast_to_float(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is None:
        return NONE
    return copy_as(state, tensor, "float") if tensor.dtype in {"int", "bool"} else tensor


@model("Tensor.cpu", "Tensor.cuda")
def move(state: State, call: Call) -> Value:
    """Where the tensor is there already, the same object."""
    return receiver(state, call) or NONE


@model("Tensor.tolist", "Tensor.item", "Tensor.__len__", "Tensor.__bool__", "Tensor.__float__")
def leaves_torch(state: State, call: Call) -> Value:
    receiver(state, call)
    return Number(f"value:{state.next()}")


@model("Tensor.apply_", "Tensor.map_")
def write_unseen(state: State, call: Call) -> Value:
    tensor = receiver(state, call)
    if tensor is not None:
        autograd.write_silently(state, tensor, "apply_", "data")
    return tensor or NONE


@model("Tensor.numpy", "Tensor.__array__")
def to_numpy(state: State, call: Call) -> Value:
    """An array on the same memory, with no counter."""
    tensor = receiver(state, call)
    if tensor is None:
        return NONE
    shown = autograd.alias(state, tensor, False, "memory")
    return Instance(External("numpy.ndarray"), native=shown)


@model("Tensor.untyped_storage", "Tensor.storage")
def to_storage(state: State, call: Call) -> Value:
    return to_numpy(state, call)
