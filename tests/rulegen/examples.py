"""The `example` of a row: calls as Python text, run on fresh tensors of known content.

    "F.relu(t(2,3)); F.relu(t(2,3), inplace=True)"     two calls of a function
    "t(2,3).view(3, 2)"  "x[0] = t(3)"  "x *= 2"        a method, operators
    "nn.Linear(3, 4)(t(2,3))"                           a module, built and called

Makers: `t(2,3)` floats between 0 and 1, `tt(2,3)` the same with swapped strides, `i(2,3)` ints 0
and 1, `b(2,3)` bools, `c(2,3)` complex numbers, `spd(3)` a positive definite matrix, `sp(2,3)` and
`csr(2,3)` sparse ones; `x`, `n`, `m` stand for t(2,3), i(2,3), b(2,3) where Python wants a target.
"""

from __future__ import annotations

import ast
import functools
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable

Thunk: TypeAlias = "Callable[[], Any]"


def t(*shape: int) -> torch.Tensor:
    """Distinct floats between 0.1 and 0.9, in no order."""
    count = max(1, torch.Size(shape).numel())
    order = torch.arange(count) * 7919 % count if count % 7919 else torch.arange(count)
    return (0.1 + 0.8 * (order + 0.5) / count).reshape(shape)


def tt(*shape: int) -> torch.Tensor:
    """The same, not contiguous: its strides are those of a transposed matrix."""
    return t(*shape[::-1]).permute(*reversed(range(len(shape))))


def i(*shape: int) -> torch.Tensor:
    """Zeros and ones, as int64."""
    return (torch.arange(torch.Size(shape).numel()) % 2).reshape(shape)


def b(*shape: int) -> torch.Tensor:
    """True and False in turn."""
    return i(*shape) == 0


def c(*shape: int) -> torch.Tensor:
    """Complex numbers."""
    return torch.complex(t(*shape), 1 - t(*shape))


def spd(size: int) -> torch.Tensor:
    """A symmetric positive definite matrix with distinct eigenvalues."""
    return torch.diag(torch.arange(1.0, size + 1)) + 0.1


def sp(*shape: int) -> torch.Tensor:
    """The matrix of `t` in the coordinate format."""
    return t(*shape).to_sparse()


def csr(*shape: int) -> torch.Tensor:
    """The matrix of `t` in compressed rows."""
    return t(*shape).to_sparse_csr()


NAMES: dict[str, Any] = {
    "t": t,
    "tt": tt,
    "i": i,
    "b": b,
    "c": c,
    "spd": spd,
    "sp": sp,
    "csr": csr,
    "torch": torch,
    "nn": nn,
    "F": functional,
    "init": nn.init,
    "utils": nn.utils,
    "optim": torch.optim,
    "Tensor": torch.Tensor,
    "inf": float("inf"),
}
_TARGETS = {"x": "t(2,3)", "n": "i(2,3)", "m": "b(2,3)"}

_BINARY: dict[type[ast.operator], tuple[str, Callable[..., Any], Callable[..., Any]]] = {
    ast.Add: ("+", operator.add, operator.iadd),
    ast.Sub: ("-", operator.sub, operator.isub),
    ast.Mult: ("*", operator.mul, operator.imul),
    ast.Div: ("/", operator.truediv, operator.itruediv),
    ast.FloorDiv: ("//", operator.floordiv, operator.ifloordiv),
    ast.Mod: ("%", operator.mod, operator.imod),
    ast.Pow: ("**", operator.pow, operator.ipow),
    ast.MatMult: ("@", operator.matmul, operator.imatmul),
    ast.BitAnd: ("&", operator.and_, operator.iand),
    ast.BitOr: ("|", operator.or_, operator.ior),
    ast.BitXor: ("^", operator.xor, operator.ixor),
    ast.LShift: ("<<", operator.lshift, operator.ilshift),
    ast.RShift: (">>", operator.rshift, operator.irshift),
}
_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[..., Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_UNARY: dict[type[ast.unaryop], tuple[str, Callable[..., Any]]] = {
    ast.USub: ("neg", operator.neg),
    ast.UAdd: ("pos", operator.pos),
    ast.Invert: ("invert", operator.invert),
}
_BUILTINS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "iter": lambda tensor: tuple(iter(tensor)),
    "len": len,
    "bool": bool,
    "float": float,
    "int": int,
}


@dataclass
class Case:
    """One call of an example. `api` is the name the table knows it by.

    `module` builds the module that is called; `init` and `init_words` are its own arguments.
    """

    text: str
    api: str
    func: Callable[..., Any] | None
    args: list[Thunk]
    words: dict[str, Thunk] = field(default_factory=dict)
    module: Thunk | None = None
    init: list[Thunk] = field(default_factory=list)
    init_words: dict[str, Thunk] = field(default_factory=dict)


def cases_of(example: str) -> list[Case]:
    """The calls of an example."""
    return [_case(part.strip()) for part in example.split(";") if part.strip()]


def _case(text: str) -> Case:
    statement = ast.parse(text).body[0]
    reader = _READERS.get(type(statement))
    if reader is None:
        raise ValueError(f"no example: {text!r}")
    return reader(text, statement)


def _expression(text: str, statement: Any) -> Case:
    return _EXPRESSIONS[type(statement.value)](text, statement.value)


def _augmented(text: str, statement: Any) -> Case:
    sign, _, func = _BINARY[type(statement.op)]
    return Case(text, f"op:{sign}=", func, [_thunk(statement.target), _thunk(statement.value)])


def _stored(text: str, statement: Any) -> Case:
    target = statement.targets[0]
    if isinstance(target, ast.Attribute):
        name = target.attr
        args = [_thunk(target.value), _thunk(statement.value)]
        return Case(text, f"op:setattr.{name}", lambda o, v: setattr(o, name, v), args)
    args = [_thunk(target.value), _thunk(target.slice), _thunk(statement.value)]
    return Case(text, "op:setitem", operator.setitem, args)


def _binary(text: str, node: Any) -> Case:
    sign, func, _ = _BINARY[type(node.op)]
    return Case(text, f"op:{sign}", func, [_thunk(node.left), _thunk(node.right)])


def _compared(text: str, node: Any) -> Case:
    if isinstance(node.ops[0], ast.In):
        args = [_thunk(node.comparators[0]), _thunk(node.left)]
        return Case(text, "op:contains", operator.contains, args)
    sign, func = _COMPARE[type(node.ops[0])]
    return Case(text, f"op:{sign}", func, [_thunk(node.left), _thunk(node.comparators[0])])


def _unary(text: str, node: Any) -> Case:
    name, func = _UNARY[type(node.op)]
    return Case(text, f"op:{name}", func, [_thunk(node.operand)])


def _subscript(text: str, node: Any) -> Case:
    return Case(text, "op:getitem", operator.getitem, [_thunk(node.value), _thunk(node.slice)])


def _attribute(text: str, node: Any) -> Case:
    return Case(text, f"Tensor.{node.attr}", operator.attrgetter(node.attr), [_thunk(node.value)])


def _call(text: str, node: Any) -> Case:
    words = {word.arg: _thunk(word.value) for word in node.keywords}
    args = [_thunk(argument) for argument in node.args]
    func = node.func
    if isinstance(func, ast.Name) and func.id in _BUILTINS:
        return Case(text, f"op:{func.id}", _BUILTINS[func.id], args)
    built = _constructor(func)
    if built is not None:
        init_words = {word.arg or "": _thunk(word.value) for word in built.keywords}
        init = [_thunk(argument) for argument in built.args]
        name = ast.unparse(built.func)
        return Case(text, name, None, args, words, _thunk(func), init, init_words)
    if _is_dotted(func):
        return Case(text, ast.unparse(func), eval(ast.unparse(func), NAMES), args, words)
    method = operator.methodcaller
    name = func.attr

    def bound(receiver: Any, *rest: Any, **named: Any) -> Any:
        return method(name, *rest, **named)(receiver)

    return Case(text, f"Tensor.{name}", bound, [_thunk(func.value), *args], words)


def _constructor(node: Any) -> Any:
    """The call that builds the module in `nn.X(...)` or `nn.X(...).eval()`."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("nn."):
            return node if _is_dotted(node.func) else _constructor(node.func)
        node = node.func if isinstance(node, ast.Call) else node.value
    return None


def _is_dotted(node: Any) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in _TARGETS


def _thunk(node: ast.expr) -> Thunk:
    if isinstance(node, ast.Slice):
        return lambda: _slice(node)
    if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
        parts = [_thunk(element) for element in node.elts]
        return lambda: tuple(part() for part in parts)
    text = _TARGETS.get(ast.unparse(node), ast.unparse(node))
    return functools.partial(eval, compile(text, "<example>", "eval"), NAMES)


def _slice(node: ast.Slice) -> slice:
    ends = (node.lower, node.upper, node.step)
    return slice(*(None if end is None else _thunk(end)() for end in ends))


_READERS: dict[type[ast.stmt], Callable[[str, Any], Case]] = {
    ast.Expr: _expression,
    ast.AugAssign: _augmented,
    ast.Assign: _stored,
}
_EXPRESSIONS: dict[type[ast.expr], Callable[[str, Any], Case]] = {
    ast.BinOp: _binary,
    ast.Compare: _compared,
    ast.UnaryOp: _unary,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Call: _call,
}
