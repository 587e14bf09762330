"""torch.autograd.Function: `apply` runs forward() without grad, backward() runs inside the walk.

save_for_backward takes versions when apply ends, after forward's own writes, and they are compared
when backward reads `ctx.saved_tensors`, not before.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.story import Step
from inplace_lint.domain.tensor import CUSTOM, MULTI, Node, Saved, Tensor
from inplace_lint.domain.values import (
    NONE,
    ClassValue,
    Const,
    External,
    Instance,
    ListValue,
    Native,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import (
    acts,
    autograd,
    backward,
    calls,
    containers,
    findings,
    lookup,
    unknowns,
)
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.hooks import gradient

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.backward import Request
    from inplace_lint.interp.state import State


@dataclass(slots=True, eq=False)
class Application:
    """One call of `apply`: its class, its ctx, and what it saved."""

    cls: ClassValue
    ctx: Instance
    saved: list[Tensor] = field(default_factory=list)
    dirty: list[Tensor] = field(default_factory=list)
    without_grad: list[Tensor] = field(default_factory=list)
    outputs: list[Tensor] = field(default_factory=list)
    inputs: list[Value] = field(default_factory=list)
    kept: dict[str, Saved] = field(default_factory=dict)
    """tensors kept as attributes of ctx"""

    def run_backward(self, state: State, node: Node, request: Request) -> None:
        """backward() of the class, with reads of saved_tensors checked."""
        method = lookup.find_method(self.cls, "backward")
        if method is None:
            return
        self.ctx.attrs["<reader>"] = Native("saved_tensors", _Reader(self, node, request.used).read)
        for name, entry in self.kept.items():
            if name in method.function.names:
                backward.check(state, node, entry, request.used)
        grads = [gradient(state, request, node) for _ in range(max(len(self.outputs), 1))]
        before = state.modes
        state.modes = dataclasses.replace(before, grad=False, function=self)
        try:
            calls.call_function(state, method, Call([self.ctx, *grads]))
        finally:
            state.modes = before
        _tell_gradients(state, node, grads, request)


def _tell_gradients(state: State, node: Node, grads: list[Tensor], request: Request) -> None:
    """A gradient that backward() wrote to is wrong for those who were handed it and run later."""
    flow = request.flows.get(id(node))
    others = flow.waiting if flow is not None else []
    shared = any(
        other is not node and other.seq < node.seq and request.flows.get(id(other)) is flow
        for other in others
    )
    for grad in grads:
        if grad.memory.writes and (shared or state.backward is not None):
            findings.gradient_written(state, node, grad.memory.writes[0], shared)


@dataclass(slots=True)
class _Reader:
    """Reading `ctx.saved_tensors` in backward compares versions."""

    application: Application
    node: Node
    used: Step

    def read(self, state: State, call: Call) -> Value:  # noqa: ARG002
        if self.node.freed is not None:
            if state.backward is None:
                findings.graph_freed(state, self.node, self.node.freed, self.used)
            return TupleValue(())
        for entry in self.node.saved:
            backward.check(state, self.node, entry, Step(state.here()))
        return TupleValue(tuple(self.application.saved))


def apply(state: State, cls: ClassValue, call: Call) -> Value:
    """`MyFunction.apply(*args)`"""
    for arg in call.args:
        value = settle(arg)
        if isinstance(value, Unknown) and value.origin != "data" and value.assume is not None:
            unknowns.become_tensor(state, value, value.doubt)
    ctx = Instance(External("torch.autograd.function.FunctionCtx"), name="ctx")
    application = Application(cls, ctx, inputs=list(call.args))
    ctx.native = application
    _fill(ctx, application)
    operands = list(dict.fromkeys(t for arg in call.args for t in containers.tensors_in(arg)))
    recorded = autograd.any_requires(state, operands)
    result = _run_forward(state, application, call)
    outputs = containers.tensors_in(result, 2)
    application.outputs = outputs
    if recorded is False:
        return result
    return _attach(state, application, result, operands)


def _fill(ctx: Instance, application: Application) -> None:
    """The methods of ctx."""
    ctx.attrs["save_for_backward"] = Native("save", lambda _s, c: _keep(application.saved, c))
    ctx.attrs["save_for_forward"] = Native("save", lambda _s, _c: NONE)
    ctx.attrs["mark_dirty"] = Native("dirty", lambda _s, c: _keep(application.dirty, c))
    ctx.attrs["mark_non_differentiable"] = Native(
        "plain", lambda _s, c: _keep(application.without_grad, c)
    )
    ctx.attrs["set_materialize_grads"] = Native("materialize", lambda _s, _c: NONE)
    ctx.attrs["needs_input_grad"] = ListValue([Const(True)] * len(application.inputs))


def _keep(into: list[Tensor], call: Call) -> Value:
    into.extend(t for arg in call.args for t in containers.tensors_in(arg))
    return NONE


def _run_forward(state: State, application: Application, call: Call) -> Value:
    """forward() under no_grad; with setup_context, that runs afterwards."""
    cls, ctx = application.cls, application.ctx
    forward = lookup.find_method(cls, "forward")
    setup = lookup.find_method(cls, "setup_context")
    if forward is None:
        return unknowns.result(state, cls.name, [])
    before = state.modes
    state.modes = dataclasses.replace(before, grad=False, function=application)
    try:
        if setup is None:
            return calls.call_function(state, forward, Call([ctx, *call.args], call.keywords))
        result = calls.call_function(state, forward, Call(list(call.args), call.keywords))
        inputs = TupleValue(tuple(call.args))
        calls.call_function(state, setup, Call([ctx, inputs, result]))
        return result
    finally:
        state.modes = before


def _attach(state: State, application: Application, result: Value, operands: list[Tensor]) -> Value:
    """The node of the application, its saves, and what its outputs become."""
    requires = autograd.any_requires(state, operands)
    for dirty in application.dirty:
        if not autograd.check_inplace(state, dirty, requires, f"{application.cls.name}.apply"):
            return result
        autograd.bump(state, dirty, f"{application.cls.name}.apply")
    node = autograd.new_node(state, application.cls.name, requires, operands)
    node.function = application
    made = [_output(state, application, node, t, operands) for t in application.outputs]
    for tensor in application.saved:
        result_of_it = any(tensor is out for out in application.outputs)
        autograd.save(state, node, tensor, result=result_of_it)
    _keep_attributes(state, application, node)
    _mark(application, operands)
    return _replace(result, dict(zip(map(id, application.outputs), made, strict=True)))


def _keep_attributes(state: State, application: Application, node: Node) -> None:
    """Tensors that forward() stored on ctx: nothing will compare their versions."""
    for name, value in application.ctx.attrs.items():
        tensor = settle(value)
        if not isinstance(tensor, Tensor):
            continue
        entry = autograd.save(state, node, tensor)
        if entry is not None:
            node.saved.remove(entry)
            entry.on_ctx = True
            application.kept[name] = entry


def _mark(application: Application, operands: list[Tensor]) -> None:
    """Inputs that forward() wrote without saying so: their history is out of date."""
    for operand in operands:
        known = any(operand is dirty for dirty in application.dirty)
        own = [w for w in operand.counter.writes if w.inside is application and not w.hidden]
        if own and not known and autograd.requires_of(operand) is not False:
            operand.unmarked = own[0]


def _output(
    state: State, application: Application, node: Node, tensor: Tensor, operands: list[Tensor]
) -> Tensor:
    """A fresh tensor gets the node; an input or a view comes back as an unwritable view."""
    if any(tensor is plain for plain in application.without_grad):
        return tensor
    if any(tensor is dirty for dirty in application.dirty):
        autograd.record(state, tensor, node)
        return tensor
    is_input = any(tensor.memory is operand.memory for operand in operands)
    if not is_input and tensor.base is None:
        if tensor.dtype not in autograd.WITHOUT_GRAD:
            tensor.node, tensor.requires = node, node.requires
        return tensor
    view = autograd.view(state, tensor, f"{application.cls.name}.apply")
    view.meta = MULTI if len(application.outputs) > 1 else CUSTOM
    view.node, view.requires = node, node.requires
    return view


def _replace(value: Value, by: dict[int, Tensor]) -> Value:
    settled = settle(value)
    if id(settled) in by:
        return by[id(settled)]
    if isinstance(settled, TupleValue):
        return TupleValue(tuple(_replace(i, by) for i in settled.items), settled.fields)
    if isinstance(settled, ListValue):
        return ListValue([_replace(i, by) for i in settled.items], settled.rest, settled.kind)
    return settled


@acts.saved_tensors.bind
def saved_tensors(state: State, ctx: Instance) -> Value:
    """`ctx.saved_tensors`"""
    reader = ctx.attrs.get("<reader>")
    if isinstance(reader, Native):
        return reader.run(state, Call([]))
    return TupleValue(())
