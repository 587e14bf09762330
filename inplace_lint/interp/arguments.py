"""Arguments to parameters of a function in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import DictValue, TupleValue, Unknown
from inplace_lint.interp import substitutes
from inplace_lint.ir.function import KEYWORD, KEYWORDS, POSITIONAL, VARIADIC

if TYPE_CHECKING:
    from inplace_lint.domain.values import FunctionValue, Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import State


def bind(state: State, func: FunctionValue, call: Call) -> dict[str, Value]:
    """Names of the function's scope at its start; what the call leaves open is unknown."""
    names: dict[str, Value] = {}
    rest = list(call.args)
    keywords = dict(call.keywords)
    for param in func.function.params:
        if param.kind == VARIADIC:
            names[param.name] = TupleValue(tuple(rest))
            rest = []
        elif param.kind == KEYWORDS:
            given = DictValue()
            given.entries.update(keywords)
            names[param.name] = given
        elif param.kind != KEYWORD and rest:
            names[param.name] = rest.pop(0)
        elif param.name in keywords and param.kind in {POSITIONAL, KEYWORD}:
            names[param.name] = keywords.pop(param.name)
        else:
            names[param.name] = _absent(state, func, param.name)
    known = state.shared.substitutes.get(func.function)
    if known is not None:
        substitutes.apply(state, known, names)
    return names


def _absent(state: State, func: FunctionValue, name: str) -> Value:
    default = func.defaults.get(name)
    if default is not None:
        return default
    return Unknown(f"value:{state.next()}", "argument", name)
