"""no_grad, enable_grad, set_grad_enabled, inference_mode, autocast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import TRUE, Const, FunctionValue, Native, Number, settle
from inplace_lint.interp import modes
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State


@model("torch.no_grad", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad")
def no_grad(state: State, call: Call) -> Value:
    return _manager_or_decorated(state, call, "no_grad")


@model("torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad")
def enable_grad(state: State, call: Call) -> Value:
    return _manager_or_decorated(state, call, "enable_grad")


def _manager_or_decorated(state: State, call: Call, name: str) -> Value:
    """`@no_grad` without parentheses works like `@no_grad()`."""
    if call.args and isinstance(settle(call.args[0]), FunctionValue):
        return modes.decorate(name, call.args[0])
    return modes.manager(state, name)


@model(
    "torch.inference_mode",
    "torch.autograd.inference_mode",
    "torch.autograd.grad_mode.inference_mode",
)
def inference_mode(state: State, call: Call) -> Value:
    if call.args and isinstance(settle(call.args[0]), FunctionValue):
        return modes.decorate("inference_mode", call.args[0])
    return modes.switch(state, call, "inference_mode", "same")


@model("torch.set_grad_enabled", "torch.autograd.set_grad_enabled")
def set_grad_enabled(state: State, call: Call) -> Value:
    """Works at once, as a bare statement too; as a context it restores on exit."""
    flag = settle(call.args[0]) if call.args else call.keywords.get("mode", TRUE)
    name = "enable_grad"
    if isinstance(flag, Const) and not flag.value:
        name = "no_grad"
    made = modes.manager(state, name)
    before = modes.enter(state, (name,))
    return modes.restoring(made, name, before)


@model("torch.library.custom_op", "torch.library.register_kernel", "torch.library.impl")
def custom_op(state: State, call: Call) -> Value:
    """Bodies of custom operators run with grad mode off; autograd is registered apart."""
    if call.args and isinstance(settle(call.args[-1]), FunctionValue):
        return modes.decorate("no_grad", call.args[-1])
    return Native("custom_op", lambda _state, inner: modes.decorate("no_grad", inner.args[0]))


@model("torch.is_grad_enabled")
def is_grad_enabled(state: State, call: Call) -> Value:
    return Const(state.modes.grad)


@model(
    "torch.jit.is_scripting",
    "torch.jit.is_tracing",
    "torch.onnx.is_in_onnx_export",
    "torch.compiler.is_compiling",
    "torch.compiler.is_dynamo_compiling",
    "torch.compiler.is_exporting",
    "torch._dynamo.is_compiling",
    "torch.fx._symbolic_trace.is_fx_tracing",
)
def is_exporting(state: State, call: Call) -> Value:
    """The program runs as it stands, not on its way into another form."""
    return Const(False)


@model("torch.is_inference_mode_enabled")
def is_inference(state: State, call: Call) -> Value:
    return Const(state.modes.inference)


@model(
    "torch.autocast",
    "torch.amp.autocast",
    "torch.cuda.amp.autocast",
    "torch.cpu.amp.autocast",
    "torch.amp.autocast_mode.autocast",
)
def autocast(state: State, call: Call) -> Value:
    flag = call.keywords.get("enabled", TRUE)
    if call.args and isinstance(settle(call.args[0]), FunctionValue):
        return modes.decorate("autocast", call.args[0])
    known = settle(flag)
    off = isinstance(known, Const) and not known.value
    unknown = isinstance(known, Number)
    return modes.manager(state, "same" if off or unknown else "autocast")


@model(
    "torch.autograd.graph.saved_tensors_hooks",
    "torch.autograd.graph.save_on_cpu",
    "torch.autograd.graph.allow_mutation_on_saved_tensors",
)
def saved_tensors_hooks(state: State, call: Call) -> Value:
    """Entries made inside are not version-checked."""
    return modes.manager(state, "hooks")


@model(
    "torch.autograd.set_detect_anomaly",
    "torch.autograd.detect_anomaly",
    "torch.profiler.record_function",
    "torch.autograd.profiler.record_function",
)
def unchanged(state: State, call: Call) -> Value:
    return modes.manager(state, "same")
