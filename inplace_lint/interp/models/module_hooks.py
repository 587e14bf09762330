"""Hooks of modules: forward hooks run around it, full backward hooks make it a view.

The latter run within the backward, when that comes by what the module returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    DictValue,
    Instance,
    ListValue,
    Native,
    Partial,
    TupleValue,
    Unknown,
    literal,
    settle,
)
from inplace_lint.interp import autograd, calls, contexts
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State

KINDS = {
    "register_forward_hook": "after",
    "register_forward_pre_hook": "before",
    "register_full_backward_hook": "backward",
    "register_full_backward_pre_hook": "backward_pre",
}


def _register(name: str, kind: str) -> None:
    @model(f"nn.Module.{name}")
    def run(state: State, call: Call) -> Value:
        obj = settle(call.args[0])
        if isinstance(obj, Instance) and len(call.args) > 1:
            hooks = obj.attrs.setdefault("<hooks>", ListValue())
            if isinstance(hooks, ListValue):
                more = literal(call.keywords.get("with_kwargs")) is True
                tag = Native(f"{kind} with keywords" if more else kind, lambda *_: NONE)
                hooks.items.append(TupleValue((tag, call.args[1])))
                return contexts.handle(hooks.items, hooks.items[-1])
        return Unknown(f"value:{state.next()}")


for _name, _kind in KINDS.items():
    _register(_name, _kind)


def _of_kind(obj: Instance, kind: str) -> list[tuple[Value, bool]]:
    """The hooks of a kind, and whether each is given the keyword arguments, too."""
    hooks = obj.attrs.get("<hooks>")
    pairs = hooks.items if isinstance(hooks, ListValue) else []
    named = [(getattr(p.items[0], "name", ""), p) for p in pairs if isinstance(p, TupleValue)]
    return [(p.items[1], name != kind) for name, p in named if name.partition(" ")[0] == kind]


def _given(obj: Instance, call: Call, more: bool) -> list[Value]:
    keywords: dict[object, Value] = dict(call.keywords.items())
    args = TupleValue(tuple(call.args))
    return [obj, args, DictValue(keywords)] if more else [obj, args]


def call(
    state: State, obj: Instance, call: Call, forward: Callable[[State, Instance, Call], Value]
) -> Value:
    """forward() with the hooks around it."""
    for hook, more in _of_kind(obj, "before"):
        changed = settle(calls.call(state, hook, Call(_given(obj, call, more))))
        if more and isinstance(changed, TupleValue):
            changed = settle(changed.items[0])
        if isinstance(changed, TupleValue):
            call = Call(list(changed.items), call.keywords)
        elif isinstance(changed, Tensor):
            call = Call([changed, *call.args[1:]], call.keywords)
    wrapped = bool(_of_kind(obj, "backward") or _of_kind(obj, "backward_pre"))
    if wrapped:
        call = Call([_wrap(state, arg) for arg in call.args], call.keywords, call.open)
    value = forward(state, obj, call)
    for hook, more in _of_kind(obj, "after"):
        changed = calls.call(state, hook, Call([*_given(obj, call, more), value]))
        value = value if settle(changed) is NONE else changed
    if not wrapped:
        return value
    value = _wrap(state, value)
    _run_in_backward(state, obj, value)
    return value


def _run_in_backward(state: State, obj: Instance, value: Value) -> None:
    """Hang the backward hooks on the node of the result, whose gradient they get last."""
    tensor = settle(value)
    node = autograd.grad_fn(state, tensor) if isinstance(tensor, Tensor) else None
    if node is None:
        return
    grad = Unknown(f"value:{state.next()}", "data", "grad")
    before: dict[str, tuple[Value, ...]] = {"backward_pre": (obj,), "backward": (obj, grad)}
    for kind, arguments in before.items():
        for hook, _ in _of_kind(obj, kind):
            node.hooks.append(Partial(hook, arguments, {}))


def _wrap(state: State, value: Value) -> Value:
    """What BackwardHook returns: a view made inside a custom Function."""
    tensor = settle(value)
    if not isinstance(tensor, Tensor) or autograd.any_requires(state, [tensor]) is False:
        return value
    return autograd.custom_view(state, tensor, "register_full_backward_hook")
