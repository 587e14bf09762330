"""How entries are driven: scripts, functions, modules, classes; and which backward is then assumed.

A module: built, called, its result differentiated, its parameters changed as a step would (a write
that is never told), called again. A backward is assumed on what an entry returns, not on what it
keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.memory import Write
from inplace_lint.domain.requires import Assumption
from inplace_lint.domain.story import Step
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    TRUE,
    ClassValue,
    FunctionValue,
    Instance,
    Property,
    Unknown,
    Value,
    Wrapped,
    settle,
)
from inplace_lint.harness import ages, arguments, survey, traces, world
from inplace_lint.harness.pristine import CHEAP
from inplace_lint.interp import (
    backward,
    calls,
    construct,
    lookup,
    ownership,
    results,
    scope,
)
from inplace_lint.interp.autograd import requires_of
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.execute import run_body
from inplace_lint.interp.models import autograd_function
from inplace_lint.interp.state import Exhausted, Frame, Raised

if TYPE_CHECKING:
    from collections.abc import Hashable

    from inplace_lint.harness.survey import Survey
    from inplace_lint.interp.state import State

EVALUATION = (
    "evaluate predict sample plot log eval test validate validation inference generate decode "
    "metric metrics accuracy score visualize visualise show save load export infer summary "
    "nms suppression postprocess"
).split()
NOT_EVALUATION = (
    *("log_prob", "log_softmax", "log_likelihood", "score_matching", "log_sum_exp"),
    *("energy", "potential"),  # physics evaluates what it then derives forces from
)


def script(state: State, plan: Survey) -> None:
    """The module body from top to bottom."""
    own = state.scopes.of(plan.file)
    own.scripted = True
    for unit in plan.file.units:
        function = survey.lowered(unit)
        if function is None or unit.index in own.done:
            continue
        own.done.add(unit.index)
        frame = Frame(function, own.env, own, [NONE] * function.registers)
        state.frames.append(frame)
        try:
            run_body(state, frame, function.body)
        finally:
            state.frames.pop()
        for name in unit.binds:
            if name in own.env.names:
                scope.keep(state, own, name)


def function(state: State, plan: Survey, func: FunctionValue) -> None:
    """Call a function twice; assume a backward on what it returns."""
    for _ in range(2):
        given = arguments.for_function(state, plan, func)
        _call_and_train(
            state, plan, func, Call(list(given.args), dict(given.keywords)), func.function.name
        )
        if not traces.left_behind(state):
            return


def module(state: State, plan: Survey, cls: ClassValue) -> None:
    """The life of an nn.Module."""
    obj = build(state, plan, cls)
    method = lookup.find_method(obj, "forward")
    if method is None:
        return
    for last in (False, True):
        given = arguments.for_method(state, plan, method, obj)
        call = Call([obj, *given.args], dict(given.keywords))
        _call_and_train(state, plan, method, call, f"{cls.name}.forward")
        if last or not traces.left_behind(state):
            return
        _step(state, obj)


@world.made_by.bind
def made_by(state: State, plan: Survey, func: FunctionValue) -> Value:
    """What a factory returns."""
    given = arguments.for_function(state, plan, func)
    try:
        return settle(calls.call(state, func, Call(given.args, given.keywords)))
    except Raised:
        return NONE


@world.forward_once.bind
def forward_once(state: State, plan: Survey, obj: Instance) -> Value | None:
    """What a module returns for made-up arguments."""
    method = lookup.find_method(obj, "forward")
    if method is None:
        return None
    given = arguments.for_method(state, plan, method, obj)
    try:
        return calls.call(state, method, Call([obj, *given.args], given.keywords))
    except Raised:
        return None


@world.build.bind
def build(state: State, plan: Survey, cls: ClassValue) -> Instance:
    """An instance, constructed with made-up arguments; construction has a budget of its own."""
    key = _pristine_key(state, cls)
    known = None if key is None else plan.pristine.recall(state, key)
    if known is not None:
        return known
    obj = Instance(cls, name=cls.name.lower())
    obj.made_up = True
    if lookup.is_module_class(cls):
        obj.attrs["training"] = TRUE
    state.world.setdefault(cls.name, obj)
    call = arguments.for_constructor(state, plan, cls)
    steps, frames = state.steps, list(state.frames)
    state.steps = 0
    try:
        construct.initialise(state, obj, call)
    except (Raised, Exhausted):
        state.frames[:] = frames
    finally:
        spent, state.steps = state.steps, steps
        state.shared.coverage["steps"] += spent
    if key is not None and spent >= CHEAP:
        plan.pristine.keep(state, key, obj)
    return obj


def _pristine_key(state: State, cls: ClassValue) -> Hashable | None:
    """What construction hangs on besides decisions; None where a path is already under way."""
    own, _, _ = state.entry.partition(".")
    if own != cls.name or state.world or state.frames:
        return None
    return cls.function, state.cap, world.is_loss(state.entry)


def plain_class(state: State, plan: Survey, cls: ClassValue) -> None:
    """The life of another class: its public methods in order, twice, on one instance."""
    training(state, plan, cls, [name for name in public_methods(cls) if name != "__init__"])


def training(state: State, plan: Survey, cls: ClassValue, names: list[str]) -> None:
    """Methods in order, twice, on one instance."""
    obj = build(state, plan, cls)
    for _ in range(2):
        for name in names:
            method = lookup.find_method(obj, name)
            if method is not None:
                _one_method(state, plan, obj, method)


def applied(state: State, plan: Survey, cls: ClassValue) -> None:
    """The life of a custom autograd.Function: applied, and its result differentiated."""
    forward = lookup.find_method(cls, "forward")
    if forward is None:
        return
    given = arguments.for_function(state, plan, forward, skip=1)
    state.returned = None
    value = settle(autograd_function.apply(state, cls, Call(given.args)))
    roots = [t for t in results.tensors(value) if requires_of(t) is not False]
    if roots and state.modes.grad:
        assume_backward(state, roots, f"{cls.name}.apply")


def public_methods(cls: ClassValue) -> list[str]:
    """Names of public methods and `__call__`, in the order they are defined."""
    found: list[str] = []
    for base in reversed(cls.mro):
        if not isinstance(base, ClassValue):
            continue
        for name, value in base.attrs.items():
            value = settle(value)
            public = not name.startswith("_") or name == "__call__"
            if public and isinstance(value, FunctionValue) and name not in found:
                found.append(name)
    return found


def method(state: State, plan: Survey, cls: ClassValue, name: str) -> None:
    """One method, twice on one instance."""
    found = cls.attrs.get(name)
    if isinstance(found, Wrapped):
        func = settle(found.func)
        if isinstance(func, FunctionValue):
            _unbound(state, plan, cls, found, func)
        return
    obj = build(state, plan, cls)
    found = getattr(obj.cls, "attrs", {}).get(name)  # its own class: it may be a copy
    if isinstance(found, Property):
        found = settle(found.getter)
    if isinstance(found, FunctionValue):
        ages.grow(state, obj, found.function)
        for last in (False, True):
            _one_method(state, plan, obj, found, last)
            if not traces.left_behind(state):
                return


def _unbound(
    state: State, plan: Survey, cls: ClassValue, found: Wrapped, func: FunctionValue
) -> None:
    first: list[Value] = [cls] if found.kind == "classmethod" else []
    given = arguments.for_function(state, plan, func, skip=len(first))
    call = Call([*first, *given.args], dict(given.keywords))
    _call_and_train(state, plan, func, call, func.function.name)


def _one_method(
    state: State, plan: Survey, obj: Instance, func: FunctionValue, last: bool = False
) -> None:
    """A method's call and, unless nothing comes after it, a step of the optimizer."""
    given = arguments.for_method(state, plan, func, obj)
    call = Call([obj, *given.args], dict(given.keywords))
    cls = obj.cls.name if isinstance(obj.cls, ClassValue) else ""
    try:
        _call_and_train(state, plan, func, call, f"{cls}.{func.function.name}")
    except Raised:
        return
    if not last:
        _step(state, obj)


# ---- assumed training ------------------------------------------------------------------------


def _call_and_train(state: State, plan: Survey, func: FunctionValue, call: Call, name: str) -> None:
    """Call, then differentiate what came back."""
    arguments.anew(state)
    state.returned = None
    state.ran.clear()
    state.over = False
    state.raised.clear()
    state.ungraded = _ungraded(plan, func.function.name)
    value = settle(calls.call(state, func, call))
    if ownership.is_module(value) and isinstance(value, Instance):
        value = _run_made(state, value)
    roots = [t for t in results.tensors(value) if requires_of(t) is not False]
    if not roots or not state.modes.grad:
        return
    cap = state.cap
    state.cap = cap or state.ungraded
    state.trained = not _of_module(call) and any(map(_trains_weights, roots))
    assume_backward(state, roots, name)
    state.cap, state.trained = cap, False


def _of_module(call: Call) -> bool:
    return bool(call.args) and ownership.is_module(call.args[0])


def _trains_weights(root: Tensor) -> bool:
    """Whether it has a graph whatever the arguments are: that of a model's weights."""
    requires = requires_of(root)
    return requires is True or any(a.kind == "weights" for a in requires or ())


def _ungraded(plan: Survey, name: str) -> str | None:
    """Why nobody differentiates what the function returns."""
    if plan.optimises:
        return "it runs outside an optimizer's step"
    return "it is no evaluation" if is_evaluation(name) else None


def _run_made(state: State, module: Instance) -> Value:
    """A factory's module is called on an input."""
    given = Unknown(
        f"value:{state.next()}", "argument", "input", Assumption("argument", "input", True)
    )
    state.origin = state.returned or state.origin
    return calls.call(state, module, Call([given]))


def is_evaluation(name: str) -> bool:
    """Whether a function's name says that nobody differentiates its result."""
    if any(part in name for part in NOT_EVALUATION):
        return False
    return any(word in EVALUATION for word in name.lower().split("_"))


def assume_backward(state: State, roots: list[Tensor], name: str) -> None:
    """A backward nobody shows: the result is differentiated, then the graph is gone."""
    used = Step(state.returned or state.here(), f"returned from {name}()")
    state.backward = f"the result of {name}() is differentiated"
    try:
        backward.run(state, backward.Request(roots, used, accumulate=False))
    finally:
        state.backward = None


def _step(state: State, obj: Instance) -> None:
    """What an optimizer does between two calls: every parameter changes; never told."""
    for tensor in ownership.owned(obj):
        if tensor.requires is not False:
            write = Write(state.here(), "step()", hidden=True)
            tensor.counter.writes.append(write)
            tensor.memory.writes.append(write)
