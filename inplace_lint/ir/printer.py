"""The stable text of a Function, as goldens and debugging show it, read off the dataclass fields.

    function f(x, *rest)
      %0 = LoadName 'x'
      %1 = GetAttr obj=%0 name='exp'
      %2 = Call func=%1
      Return value=%2

A field that has its default is left out; registers are written `%n`; the only field an op has
besides registers and bodies is written without its name.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from inplace_lint.ir.function import Function
from inplace_lint.ir.walk import OP_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.ir.function import Annotation, Param
    from inplace_lint.ir.ops import Arg, Handler, Op

_STARS = {"variadic": "*", "keywords": "**"}
_MARKS = {"star": "*", "double-star": "**"}


def render(function: Function, place: Callable[[int], str] | None = None) -> str:
    """The text of a function; `place` may add where an op stands, given its `at`."""
    return "\n".join(_function(function, "", place)) + "\n"


def _function(function: Function, indent: str, place: Callable[[int], str] | None) -> Iterator[str]:
    flags = ["async "] * function.is_async + ["generator "] * function.is_generator
    params = ", ".join(map(_param, function.params))
    returns = f" -> {_annotation(function.returns)}" if function.returns else ""
    header = f" {function.qualname}({params}){returns}" if function.qualname else ""
    yield f"{indent}{''.join(flags)}{function.kind}{header}"
    if function.decorators:
        yield f"{indent}  decorators {' '.join(name or '?' for name in function.decorators)}"
    yield from _body(function.body, indent + "  ", place)


def _param(param: Param) -> str:
    note = f": {_annotation(param.annotation)}" if param.annotation else ""
    suffix = {"positional-only": " /", "keyword": " kw"}.get(param.kind, "")
    return f"{_STARS.get(param.kind, '')}{param.name}{note}{'=' * param.has_default}{suffix}"


def _annotation(annotation: Annotation) -> str:
    inner = ", ".join(map(_annotation, annotation.args))
    return (annotation.name or "?") + (f"[{inner}]" if inner else "")


def _body(body: list[Op], indent: str, place: Callable[[int], str] | None) -> Iterator[str]:
    for op in body:
        at = f"  # {place(op.at)}" if place else ""
        yield f"{indent}{_head(op)}{at}"
        yield from _nested(op, indent + "  ", place)


def _nested(node: Any, indent: str, place: Callable[[int], str] | None) -> Iterator[str]:
    """The fields that take lines of their own: bodies, handlers, functions."""
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Function):
            yield from _function(value, indent, place)
        elif field.type == "list[Op]" and value:
            yield f"{indent}{field.name}:"
            yield from _body(value, indent + "  ", place)
        elif field.type == "tuple[Handler, ...]":
            for handler in value:
                yield f"{indent}handler{_fields(handler)}:"
                yield from _nested(handler, indent + "  ", place)


def _head(op: Op) -> str:
    out = getattr(op, "out", None)
    return f"{'' if out is None else f'%{out} = '}{type(op).__name__}{_fields(op)}"


def _fields(node: Op | Handler) -> str:
    shown = _SHOWN[type(node)]
    parts = []
    for field in shown:
        value = getattr(node, field.name)
        if field.default is MISSING or value != field.default:
            text = _value(value, "Reg" in field.type)
            parts.append(text if len(shown) == 1 else f"{field.name}={text}")
    return "".join(f" {part}" for part in parts)


_ELSEWHERE = ("list[Op]", "tuple[Handler, ...]", "Function")
_SHOWN: dict[type, tuple[Field[Any], ...]] = {
    kind: tuple(f for f in fields(kind) if f.name not in ("at", "out") and f.type not in _ELSEWHERE)
    for kind in OP_TYPES
}


def _value(value: Any, registers: bool) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(item, registers) for item in value)})"
    if type(value).__name__ == "Arg":
        return _argument(value)
    if registers and type(value) is int:
        return f"%{value}"
    return repr(value)


def _argument(arg: Arg) -> str:
    name = f"{arg.name}=" if arg.name else ""
    return f"{_MARKS.get(arg.kind, '')}{name}%{arg.value}"
