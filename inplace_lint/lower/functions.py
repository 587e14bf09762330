"""Functions, lambdas and classes: a builder of their own each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from inplace_lint.ir.function import (
    KEYWORD,
    KEYWORDS,
    POSITIONAL,
    POSITIONAL_ONLY,
    VARIADIC,
    Annotation,
    Function,
    Param,
)
from inplace_lint.ir.ops import Arg, Call, MakeClass, MakeFunction, Return
from inplace_lint.lower.annotations import lower_optional
from inplace_lint.lower.dispatch import (
    Builder,
    expression,
    lower_expression,
    lower_statement,
    statement,
)
from inplace_lint.lower.names import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inplace_lint.ir.ops import Reg


@dataclass(slots=True)
class Header:
    """What a Function has besides its body."""

    name: str
    at: int
    params: tuple[Param, ...] = ()
    is_async: bool = False
    decorators: tuple[str, ...] = ()
    returns: Annotation | None = None


def finish(inner: Builder, header: Header) -> Function:
    """The Function of a builder that is done."""
    return Function(
        name=header.name,
        qualname=inner.qualname,
        kind=inner.kind,
        params=header.params,
        body=inner.body,
        registers=inner.registers,
        unit=inner.shared.unit,
        at=header.at,
        is_generator=inner.is_generator,
        is_async=header.is_async,
        decorators=header.decorators,
        returns=header.returns,
        names=frozenset(inner.names),
    )


@statement("FunctionDef")
def lower_function(b: Builder, node: cst.FunctionDef) -> None:
    """`@deco def f(x, n=1): ...`"""
    decorators = _decorators(b, node.decorators)
    defaults = _defaults(b, node.params)
    name = node.name.value
    header = Header(
        name,
        b.at(node),
        tuple(_params(node.params)),
        node.asynchronous is not None,
        _decorator_names(node.decorators),
        lower_optional(node.returns),
    )
    inner = Builder(b.shared, "function", b.inner_qualname(name))
    lower_statement(inner, node.body)
    b.names |= inner.names
    out = b.reg()
    b.body.append(MakeFunction(header.at, out, finish(inner, header), defaults))
    b.store(name, _decorated(b, node.decorators, decorators, out), header.at)


@expression("Lambda")
def lower_lambda(b: Builder, node: cst.Lambda) -> Reg:
    """`lambda x: x * 2`; it sees the comprehension's targets that its parameters don't hide."""
    defaults = _defaults(b, node.params)
    at = b.at(node)
    params = tuple(_params(node.params))
    own = {param.name for param in params}
    inner = Builder(b.shared, "lambda", b.inner_qualname("<lambda>"))
    inner.renames = {name: new for name, new in b.renames.items() if name not in own}
    value = lower_expression(inner, node.body)
    inner.body.append(Return(inner.at(node.body), value))
    b.names |= inner.names
    out = b.reg()
    function = finish(inner, Header("<lambda>", at, params))
    b.body.append(MakeFunction(at, out, function, defaults))
    return out


@statement("ClassDef")
def lower_class(b: Builder, node: cst.ClassDef) -> None:
    """`class A(Base, metaclass=M): ...`; the body's `params` are its annotated names."""
    decorators = _decorators(b, node.decorators)
    bases = tuple([lower_expression(b, base.value) for base in node.bases])
    keywords = tuple(
        [
            (keyword.keyword.value if keyword.keyword else "", lower_expression(b, keyword.value))
            for keyword in node.keywords
        ]
    )
    name = node.name.value
    at = b.at(node)
    inner = Builder(b.shared, "class", b.inner_qualname(name))
    lower_statement(inner, node.body)
    b.names |= inner.names
    names = _decorator_names(node.decorators)
    body = finish(inner, Header(name, at, tuple(inner.fields), decorators=names))
    out = b.reg()
    b.body.append(MakeClass(at, out, name, bases, keywords, body))
    b.store(name, _decorated(b, node.decorators, decorators, out), at)


# ---- decorators ----------------------------------------------------------------------------


def _decorators(b: Builder, decorators: Sequence[cst.Decorator]) -> list[Reg]:
    """The decorators' values; they are evaluated before anything else of the definition."""
    return [lower_expression(b, decorator.decorator) for decorator in decorators]


def _decorated(
    b: Builder, decorators: Sequence[cst.Decorator], values: list[Reg], made: Reg
) -> Reg:
    """Call the decorators on what was made, the innermost first."""
    for decorator, value in zip(reversed(decorators), reversed(values), strict=True):
        out = b.reg()
        at = b.at(decorator.decorator)
        b.body.append(Call(at, out, value, (Arg("positional", made),)))
        made = out
    return made


def _decorator_names(decorators: Sequence[cst.Decorator]) -> tuple[str, ...]:
    return tuple([_called_name(decorator.decorator) for decorator in decorators])


def _called_name(node: cst.BaseExpression) -> str:
    """`torch.no_grad` for `torch.no_grad` and `torch.no_grad()`."""
    return dotted(node.func if isinstance(node, cst.Call) else node)


# ---- parameters ----------------------------------------------------------------------------


def _params(params: cst.Parameters) -> Iterator[Param]:
    for kind, param in _with_kinds(params):
        yield Param(
            param.name.value, kind, param.default is not None, lower_optional(param.annotation)
        )


def _with_kinds(params: cst.Parameters) -> Iterator[tuple[str, cst.Param]]:
    for param in params.posonly_params:
        yield POSITIONAL_ONLY, param
    for param in params.params:
        yield POSITIONAL, param
    if isinstance(params.star_arg, cst.Param):
        yield VARIADIC, params.star_arg
    for param in params.kwonly_params:
        yield KEYWORD, param
    if params.star_kwarg is not None:
        yield KEYWORDS, params.star_kwarg


def _defaults(b: Builder, params: cst.Parameters) -> tuple[tuple[str, Reg], ...]:
    """The defaults' values, evaluated where the function is defined."""
    return tuple(
        [
            (param.name.value, lower_expression(b, param.default))
            for _, param in _with_kinds(params)
            if param.default is not None
        ]
    )
