"""Where tensors leave PyTorch's sight: numpy, DLPack, storages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    External,
    Instance,
    Number,
    TupleValue,
    Unknown,
    Value,
    settle,
)
from inplace_lint.interp import autograd, containers
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.models import tensors

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


def array_of(value: Value) -> Tensor | None:
    """The tensor whose memory an array shows; None for an array of its own."""
    value = settle(value)
    if isinstance(value, Instance) and isinstance(value.native, Tensor):
        return value.native
    return None


def array(tensor: Tensor) -> Instance:
    """A numpy array on a tensor's memory."""
    return Instance(External("numpy.ndarray"), native=tensor)


@model("numpy.asarray", "numpy.frombuffer", "numpy.ascontiguousarray")
def asarray(state: State, call: Call) -> Value:
    """No copy of an array or tensor."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return array(autograd.alias(state, value, False, "memory"))
    return value if array_of(value) is not None else Number(f"value:{state.next()}")


@model("torch.from_numpy", "torch.frombuffer")
def from_numpy(state: State, call: Call) -> Value:
    shown = array_of(call.args[0]) if call.args else None
    if shown is not None:
        return autograd.alias(state, shown, False, "memory")
    return autograd.fresh(state, [], "from_numpy")


@model("torch.as_tensor", "torch.asarray")
def as_tensor(state: State, call: Call) -> Value:
    """A tensor comes back itself, an array as an alias, numbers as a new tensor."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return tensors.convert(state, Call([value, *call.args[1:]], call.keywords))
    shown = array_of(value)
    if shown is not None:
        return autograd.alias(state, shown, False, "memory")
    if isinstance(value, Unknown):
        return tensors.receiver(state, Call([value])) or NONE
    made = autograd.fresh(state, [], "as_tensor")
    made.made_up, made.doubt = False, None
    return made


@model("torch.utils.dlpack.from_dlpack", "torch.from_dlpack", "numpy.from_dlpack")
def from_dlpack(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    shown = value if isinstance(value, Tensor) else array_of(value)
    if shown is None:
        return autograd.fresh(state, [], "from_dlpack")
    return autograd.alias(state, shown, False, "memory")


@model("torch.utils.dlpack.to_dlpack", "Tensor.__dlpack__")
def to_dlpack(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if not isinstance(value, Tensor):
        return NONE
    return array(autograd.alias(state, value, False, "memory"))


@model(
    *(
        f"numpy.{name}"
        for name in "ones zeros empty full array arange linspace zeros_like ones_like".split()
    ),
    *(f"numpy.random.{name}" for name in "rand randn random normal uniform randint".split()),
)
def new_array(state: State, call: Call) -> Value:
    """An array of its own memory, which from_numpy may show."""
    made = autograd.fresh(state, [], "numpy")
    made.dtype = None
    return array(made)


def write_array(state: State, value: Value, mutator: str) -> None:
    """An array is written: the memory of its tensor changes, unseen."""
    shown = array_of(value)
    if shown is not None:
        autograd.write_silently(state, shown, mutator, "memory")


@model("numpy.copyto", "numpy.put", "numpy.place", "numpy.random.shuffle", "numpy.fill_diagonal")
def copyto(state: State, call: Call) -> Value:
    if call.args:
        write_array(state, call.args[0], "np.copyto")
    return NONE


UFUNCS = (
    "round around add subtract multiply divide true_divide clip exp log sqrt abs absolute "
    "negative square maximum minimum power floor ceil rint sign tanh sin cos cumsum sum mean "
    "matmul dot"
).split()


def _with_out(name: str) -> None:
    @model(f"numpy.{name}")
    def run(state: State, call: Call) -> Value | None:
        """`out=` is written; without it the result is of no interest."""
        out = call.keywords.get("out")
        if out is None:
            return None
        for value in _each(settle(out)):
            write_array(state, value, f"np.{name}(out=...)")
        return out


def _each(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, TupleValue) else (value,)


for _name in UFUNCS:
    _with_out(_name)

ARRAY_WRITES = "fill sort put partition itemset resize __setitem__".split()
ARRAY_VIEWS = "reshape ravel view transpose swapaxes squeeze".split()


def _write_method(name: str) -> None:
    @model(f"numpy.ndarray.{name}")
    def run(state: State, call: Call) -> Value:
        write_array(state, call.args[0], f".{name}()")
        return NONE


def _view_method(name: str) -> None:
    @model(f"numpy.ndarray.{name}")
    def run(state: State, call: Call) -> Value:
        return call.args[0]


for _name in ARRAY_WRITES:
    _write_method(_name)
for _name in ARRAY_VIEWS:
    _view_method(_name)


@model("torch.autograd.graph.increment_version")
def increment_version(state: State, call: Call) -> Value:
    for tensor in containers.tensors_in(call.args[0]) if call.args else []:
        autograd.bump(state, tensor, "increment_version()")
    return NONE


@model("torch.nn.utils.vector_to_parameters", "utils.vector_to_parameters")
def vector_to_parameters(state: State, call: Call) -> Value:
    """Swaps `.data` of each parameter."""
    for tensor in containers.tensors_in(call.args[1]) if len(call.args) > 1 else []:
        fresh = autograd.fresh(state, [], "data")
        tensor.memory = fresh.memory
        autograd.write_silently(state, tensor, "vector_to_parameters()", "data")
    return NONE


@model("torch.manual_seed", "torch.cuda.empty_cache", "torch.cuda.manual_seed_all")
@model("torch.cuda.synchronize", "torch.set_default_dtype", "torch.save")
def nothing(state: State, call: Call) -> Value:
    return NONE


@model("torch.utils.data.get_worker_info")
def worker_info(state: State, call: Call) -> Value:
    """None but in a worker of a data loader, where nothing is differentiated."""
    return NONE


@model("torch.load")
def load(state: State, call: Call) -> Value:
    return Unknown(f"value:{state.next()}", "data", "checkpoint")


@model("torch.cuda.is_available")
def has_cuda(state: State, call: Call) -> Value:
    return Number("cuda", "bool")


@model("torch.is_complex")
def is_complex(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor) and value.dtype is not None:
        return Const(value.dtype == "complex")
    return Number(f"value:{state.next()}", "bool")


@model("torch.device", "torch.dtype", "torch.finfo", "torch.iinfo", "torch.get_default_dtype")
@model("torch.Generator", "torch.cuda.current_device", "torch.numel")
def setting(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}")


@model("torch._assert", "torch._check")
def check(state: State, call: Call) -> Value:
    return NONE
