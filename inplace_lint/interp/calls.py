"""Who is called: functions in view, classes, modules, library functions, unknown callees.

A library function is a model, else a row of the table, else unknown: it neither mutates nor
aliases, and its result is tracked by the tensors that went in.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from inplace_lint.domain.values import (
    NONE,
    Bound,
    ClassValue,
    Const,
    Env,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Number,
    Partial,
    Unknown,
    Wrapped,
    literal,
    settle,
)
from inplace_lint.interp import (
    acts,
    arguments,
    construct,
    generic,
    lookup,
    modes,
    rows,
    unknowns,
)
from inplace_lint.interp.contexts import Suspended
from inplace_lint.interp.dispatch import MODELS, Call, run_model
from inplace_lint.interp.iterate import Running
from inplace_lint.interp.state import Frame, Raised
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk
from inplace_lint.opdb import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Function

DEPTH = 24
REPEATS = 2
"""How often one function may stand on the stack with arguments of the same kinds."""
DESCENT = 5
"""How often in all: from a list to its tuples to their tensors."""


@acts.call.bind
def call(state: State, func: Value, call: Call) -> Value:
    """Call a value."""
    func = settle(func)
    return CALLERS.get(type(func), _unknown)(state, func, call)


def call_method(state: State, receiver: Value, method: FunctionValue, args: list[Value]) -> Value:
    """Call a method in view."""
    return call_function(state, method, Call([receiver, *args]))


# ---- functions in view ----------------------------------------------------------------------


def call_function(state: State, func: FunctionValue, call: Call) -> Value:
    """Run a function in the caller's context."""
    function = func.function
    if _too_deep(state, func, call):
        cut = unknowns.result(state, function.name, rows.tensors(call))
        cut.doubt = f"{function.name}() goes on as it began"
        return cut
    if "contextmanager" in func.modes:
        return Instance(External("contextlib.manager"), native=Suspended(func, call))
    if "cached" in func.modes:
        return _remembered(state, func, call)
    if function.is_generator and _is_looped_over(state, func):
        run = partial(run_generator, state, func, call)
        return Instance(External("builtins.generator"), native=Running(run))
    frame = _frame(state, func, call)
    if function.is_generator:
        frame.yields = []
    try:
        _run(state, func, frame)
    except Raised:
        if not _is_excused(state, function):
            raise
        return unknowns.result(state, function.name, rows.tensors(call))
    if frame.yields is not None:
        return ListValue(frame.yields, kind="generator")
    return frame.result if frame.result is not None else NONE


def _is_excused(state: State, function: Function) -> bool:
    """Whether a callee that raised is taken for one that is not in view.

    Nobody catches it, and it raised on the entry's first path, where nothing was chosen: it is the
    arguments that the harness made up which do not suit it. What raises on a path of choices shows
    that these exclude each other.
    """
    if not (state.made_up and state.frames) or state.guarded:
        return False
    if not state.decisions and not state.aims:
        state.shared.refused.add(function)
    return function in state.shared.refused


def _remembered(state: State, func: FunctionValue, call: Call) -> Value:
    """lru_cache: what the same arguments gave before; numbers that are not known are the same."""
    given = [*map(settle, call.args), *(settle(v) for _, v in sorted(call.keywords.items()))]
    key = (id(func.function), *map(_identity, given))
    found = state.remembered.get(key)
    if found is None:
        plain = replace(func, modes=tuple(mode for mode in func.modes if mode != "cached"))
        found = state.remembered[key] = (call_function(state, plain, call), given)
    return found[0]


def _identity(value: Value) -> object:
    if isinstance(value, Number):
        return Number
    known = literal(value)
    return id(value) if known is NotImplemented else repr(known)


@acts.run_generator.bind
def run_generator(
    state: State, func: FunctionValue, call: Call, resume: Callable[[Value], None]
) -> None:
    """Run a generator function with `resume` in the place of its consumer.

    The consumer runs in its own frames; the modes a decorator set do not hold there.
    """
    frame = _frame(state, func, call)
    depth, outer = len(state.frames), state.modes
    own = any(name != "contextmanager" for name in func.modes)

    def consume(value: Value) -> None:
        inner, frames = state.modes, state.frames[depth:]
        del state.frames[depth:]
        if own:
            state.modes = outer
        try:
            resume(value)
        finally:
            state.frames[depth:] = frames
            if own:
                state.modes = inner

    frame.on_yield = consume
    _run(state, func, frame)


def _is_looped_over(state: State, func: FunctionValue) -> bool:
    """Whether the call that runs is itself what a loop goes over: it runs in step with the loop."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or not isinstance(frame.op, ops.Call):
        return False
    callee = settle(frame.registers[frame.op.func])
    if (callee.func if isinstance(callee, Bound) else callee) is not func:
        return False
    body = list(walk(frame.function.body))
    shown = _shown(body, frame.op.out)
    return any(isinstance(op, ops.For) and op.iterable in shown for op in body)


PASSING = frozenset("enumerate zip tqdm".split())
"""Builtins, and one other function, that hand on the items of what they are given in turn."""


def _shown(body: list[ops.Op], out: int) -> set[int]:
    """The registers that show the items of a call's result, through calls that pass them on."""
    shown, passing = {out}, set()
    for op in body:
        if isinstance(op, (ops.LoadName, ops.GetAttr)) and op.name in PASSING:
            passing.add(op.out)
        elif isinstance(op, ops.Call) and op.func in passing:
            shown |= {op.out} if any(arg.value in shown for arg in op.args) else set()
    return shown


def _too_deep(state: State, func: FunctionValue, call: Call) -> bool:
    """Whether a recursion is cut; one that is given another kind of value goes down a structure."""
    if len(state.frames) >= DEPTH:
        return True
    function = func.function
    standing = [frame for frame in state.frames if frame.function is function]
    if len(standing) < REPEATS or len(standing) >= DESCENT:
        return len(standing) >= REPEATS
    kinds = [type(settle(value)) for value in call.args]
    names = [param.name for param in function.params[: len(kinds)]]
    given = [[type(settle(f.env.names.get(name, NONE))) for name in names] for f in standing]
    return given.count(kinds) >= REPEATS


def _frame(state: State, func: FunctionValue, call: Call) -> Frame:
    names = arguments.bind(state, func, call)
    function = func.function
    receiver = settle(call.args[0]) if call.args else None
    scope = state.scopes.of(func.scope)  # type: ignore[arg-type]
    registers: list[Value] = [NONE] * function.registers
    return Frame(function, Env(names, func.env), scope, registers, func.owner, receiver)


def _run(state: State, func: FunctionValue, frame: Frame) -> None:
    """Run the frame's body under the modes the function was decorated with."""
    before = modes.enter(state, func.modes)
    state.shared.entered(frame.function, recorded=state.modes.grad)
    state.ran.add(frame.function)
    contained, state.contained = state.contained, 0
    state.frames.append(frame)
    try:
        acts.run_body(state, frame, frame.function.body)
    finally:
        state.frames.pop()
        state.contained = contained
        if func.modes:
            state.modes = before
    if frame.returned is not None:
        state.returned = frame.returned


# ---- libraries -----------------------------------------------------------------------------


def _external(state: State, func: External, call: Call) -> Value:
    return call_path(state, resolve.canonical(func.path), call)


def call_path(state: State, path: str, call: Call) -> Value:
    """Call a library function by canonical path."""
    run = MODELS.get(path)
    if run is not None:
        value = run_model(run, state, call)
        if value is not None:
            return value
    rules = resolve.find(path)
    if not rules:
        return _foreign(state, path, call)
    if rules[0].kind == "module":
        return _construct(state, path, call)
    return rows.row(state, path, path.rpartition(".")[2], call)


def _construct(state: State, path: str, call: Call) -> Value:
    return acts.construct_row(state, path, call)


def _foreign(state: State, path: str, call: Call) -> Value:
    """A library function that is neither modelled nor in the table."""
    decorated = None if path.startswith("builtins.") else _decorated(call)
    return decorated if decorated is not None else acts.call_library(state, path, call)


# ---- the rest ------------------------------------------------------------------------------


def _bound(state: State, func: Bound, call: Call) -> Value:
    inner = func.func
    with_receiver = Call([func.receiver, *call.args], call.keywords, call.open)
    if isinstance(inner, External):
        return call_bound(state, inner.path, func.receiver, with_receiver)
    return call_value(state, inner, with_receiver)


def call_value(state: State, func: Value, call: Call) -> Value:
    """Like `call`, for a callable that is settled."""
    return CALLERS.get(type(func), _unknown)(state, func, call)


def call_bound(state: State, path: str, receiver: Value, call: Call) -> Value:
    """A library's method, called on a receiver of ours."""
    if isinstance(settle(receiver), (Instance, ClassValue)):
        return acts.call_library_method(state, path, call)
    return call_path(state, resolve.canonical(path), call)


def _class(state: State, func: ClassValue, call: Call) -> Value:
    return construct.instantiate(state, func, call)


def _instance(state: State, func: Instance, call: Call) -> Value:
    method = lookup.find_method(func, "__call__")
    if method is not None:
        return call_method_with(state, func, method, call)
    return acts.call_instance(state, func, call)


def call_method_with(state: State, receiver: Value, method: FunctionValue, call: Call) -> Value:
    """Call a method in view with all kinds of arguments."""
    return call_function(state, method, Call([receiver, *call.args], call.keywords, call.open))


def _partial(state: State, func: Partial, call: Call) -> Value:
    keywords = {**func.keywords, **call.keywords}
    return call_value(state, settle(func.func), Call([*func.args, *call.args], keywords, call.open))


def _native(state: State, func: Native, call: Call) -> Value:
    value = run_model(func.run, state, call)
    return value if value is not None else NONE


def _wrapped(state: State, func: Wrapped, call: Call) -> Value:
    return call_value(state, settle(func.func), call)


def _unknown(state: State, func: Value, call: Call) -> Value:
    """Calling something that is not in view."""
    decorated = _decorated(call)
    if decorated is not None and isinstance(func, Unknown):
        return decorated
    if isinstance(func, Unknown):
        return generic.call_unknown(state, func, call)
    if isinstance(func, (Number, Const)):
        return Number(f"value:{state.next()}")
    return unknowns.result(state, "call", rows.tensors(call))


def _decorated(call: Call) -> Value | None:
    """What an unknown decorator is applied to: taken to come back as it is."""
    if len(call.args) != 1 or call.keywords:
        return None
    value = settle(call.args[0])
    return value if isinstance(value, (FunctionValue, ClassValue)) else None


CALLERS: dict[type, Callable[[State, Any, Call], Value]] = {
    FunctionValue: call_function,
    External: _external,
    Bound: _bound,
    ClassValue: _class,
    Instance: _instance,
    Partial: _partial,
    Native: _native,
    Wrapped: _wrapped,
}
