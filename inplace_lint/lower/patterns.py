"""`match`: a chain of `If`s, each on a register that says whether the pattern matched.

Names are bound while the pattern is tried, not after the whole of it has matched as in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from inplace_lint.ir.ops import (
    Arg,
    Call,
    Compare,
    Const,
    Copy,
    GetAttr,
    GetItem,
    If,
    Unpack,
)
from inplace_lint.lower.dispatch import (
    Builder,
    lower_block,
    lower_expression,
    lower_unknown,
    statement,
)
from inplace_lint.lower.expressions import constant
from inplace_lint.lower.names import dotted, load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inplace_lint.ir.ops import Op, Reg

    Part = Callable[[], Reg]

_SELF_MATCHING = frozenset(
    ("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str")
) | {"tuple"}
"""Builtin classes whose only positional pattern is matched by the subject itself."""


@statement("Match")
def lower_match(b: Builder, node: cst.Match) -> None:
    """`match subject: case ...: ...`"""
    subject = lower_expression(b, node.subject)
    b.body.extend(_cases(b, node.cases, subject))


def _cases(b: Builder, cases: Sequence[cst.MatchCase], subject: Reg) -> list[Op]:
    """The ops of the cases from the first on; the others are the `else` of its `If`."""
    outer = b.open()
    if cases:
        case = cases[0]
        at = b.at(case)
        tests: list[Part] = [lambda: lower_pattern(b, case.pattern, subject)]
        if case.guard is not None:
            guard = case.guard
            tests.append(lambda: lower_expression(b, guard))
        matched = _all(b, at, tests)
        then = lower_block(b, case.body)
        rest = _cases(b, cases[1:], subject)
        b.body.append(If(at, matched, then, rest))
    return b.close(outer)


def lower_pattern(b: Builder, pattern: cst.MatchPattern, subject: Reg) -> Reg:
    """Try a pattern on a register; whether it matched is in the register returned."""
    handler = _PATTERNS.get(type(pattern))
    if handler is not None:
        return handler(b, pattern, subject)
    return lower_unknown(b, pattern, subject)


def _all(b: Builder, at: int, tests: Sequence[Part]) -> Reg:
    """The tests one after the other, as long as they hold."""
    first = tests[0]() if tests else constant(b, True, at)
    if len(tests) <= 1:
        return first
    last = b.body[-1]
    if isinstance(last, Const) and last.out == first and last.value is True:
        b.body.pop()  # a capture: nothing to test
        return _all(b, at, tests[1:])
    out = b.reg()
    outer = b.open()
    b.body.append(Copy(at, out, _all(b, at, tests[1:])))
    then = b.close(outer)
    b.body.append(If(at, first, then, [Copy(at, out, first)]))
    return out


def _call(b: Builder, at: int, func: Reg, *args: Reg) -> Reg:
    out = b.reg()
    b.body.append(Call(at, out, func, tuple(Arg("positional", arg) for arg in args)))
    return out


def _compare(b: Builder, at: int, operator: str, left: Reg, right: Reg) -> Reg:
    out = b.reg()
    b.body.append(Compare(at, out, operator, left, right))
    return out


# ---- one function for each form of pattern -------------------------------------------------


def _value(b: Builder, node: cst.MatchValue, subject: Reg) -> Reg:
    """`case 1:`, `case Color.RED:`"""
    value = lower_expression(b, node.value)
    return _compare(b, b.at(node.value), "==", subject, value)


def _singleton(b: Builder, node: cst.MatchSingleton, subject: Reg) -> Reg:
    """`case None:`"""
    value = lower_expression(b, node.value)
    return _compare(b, b.at(node.value), "is", subject, value)


def _as(b: Builder, node: cst.MatchAs, subject: Reg) -> Reg:
    """`case p as x:`, `case x:`, `case _:`"""
    at = b.at(node)
    tests: list[Part] = []
    pattern, name = node.pattern, node.name
    if pattern is not None:
        tests.append(lambda: lower_pattern(b, pattern, subject))
    if name is not None:
        tests.append(lambda: _capture(b, name, subject, at))
    return _all(b, at, tests)


def _capture(b: Builder, name: cst.Name, value: Reg, at: int) -> Reg:
    b.store(name.value, value, at)
    return constant(b, True, at)


def _or(b: Builder, node: cst.MatchOr, subject: Reg) -> Reg:
    """`case p | q:`"""
    return _any(b, b.at(node), [element.pattern for element in node.patterns], subject)


def _any(b: Builder, at: int, patterns: Sequence[cst.MatchPattern], subject: Reg) -> Reg:
    first = lower_pattern(b, patterns[0], subject)
    if len(patterns) == 1:
        return first
    out = b.reg()
    outer = b.open()
    b.body.append(Copy(at, out, _any(b, at, patterns[1:], subject)))
    orelse = b.close(outer)
    b.body.append(If(at, first, [Copy(at, out, first)], orelse))
    return out


def _sequence(b: Builder, node: cst.MatchList | cst.MatchTuple, subject: Reg) -> Reg:
    """`case [a, *rest]:` fits what has the length; that it is a sequence is taken for granted."""
    at = b.at(node)
    patterns = node.patterns
    stars = [i for i, element in enumerate(patterns) if isinstance(element, cst.MatchStar)]
    length = _call(b, at, load(b, "len", node), subject)
    wanted = constant(b, len(patterns) - len(stars), at)
    fits = _compare(b, at, ">=" if stars else "==", length, wanted)
    return _all(b, at, [lambda: fits, lambda: _items(b, node, subject, stars)])


def _items(b: Builder, node: cst.MatchList | cst.MatchTuple, subject: Reg, stars: list[int]) -> Reg:
    at = b.at(node)
    outs = tuple([b.reg() for _ in node.patterns])
    b.body.append(Unpack(at, outs, subject, stars[0] if stars else -1))
    tests: list[Part] = []
    for element, out in zip(node.patterns, outs, strict=True):
        if isinstance(element, cst.MatchStar):
            if element.name is not None:
                b.store(element.name.value, out, at)
        else:
            tests.append(_part(b, element.value, out))
    return _all(b, at, tests)


def _part(b: Builder, pattern: cst.MatchPattern, value: Reg) -> Part:
    return lambda: lower_pattern(b, pattern, value)


def _mapping(b: Builder, node: cst.MatchMapping, subject: Reg) -> Reg:
    """`case {"k": p, **rest}:`"""
    at = b.at(node)
    tests: list[Part] = [_entry(b, at, element, subject) for element in node.elements]
    rest = node.rest
    if rest is not None:
        tests.append(lambda: _capture(b, rest, _call(b, at, load(b, "dict", node), subject), at))
    return _all(b, at, tests)


def _entry(b: Builder, at: int, element: cst.MatchMappingElement, subject: Reg) -> Part:
    def there() -> Reg:
        key = lower_expression(b, element.key)
        return _all(b, at, [lambda: _compare(b, at, "in", key, subject), lambda: fits(key)])

    def fits(key: Reg) -> Reg:
        value = b.reg()
        b.body.append(GetItem(at, value, subject, key))
        return lower_pattern(b, element.pattern, value)

    return there


def _class(b: Builder, node: cst.MatchClass, subject: Reg) -> Reg:
    """`case Point(x, y=0):`"""
    at = b.at(node)
    cls = lower_expression(b, node.cls)
    is_one = _call(b, at, load(b, "isinstance", node), subject, cls)
    tests: list[Part] = [lambda: is_one]
    own = len(node.patterns) == 1 and dotted(node.cls) in _SELF_MATCHING
    for position, element in enumerate(node.patterns):
        pattern = getattr(element, "value", None)
        assert isinstance(pattern, cst.MatchPattern)
        if own:
            tests.append(_part(b, pattern, subject))
        else:
            tests.append(_positional(b, node, pattern, (subject, cls, position)))
    for keyword in node.kwds:
        tests.append(_attribute(b, at, keyword, subject))
    return _all(b, at, tests)


def _positional(
    b: Builder, node: cst.MatchClass, pattern: cst.MatchPattern, of: tuple[Reg, Reg, int]
) -> Part:
    """The attribute that the class's `__match_args__` name at a position."""
    subject, cls, position = of

    def fits() -> Reg:
        at = b.at(node)
        names, index, name = b.reg(), b.reg(), b.reg()
        b.body.append(GetAttr(at, names, cls, "__match_args__"))
        b.body.append(Const(at, index, position))
        b.body.append(GetItem(at, name, names, index))
        value = _call(b, at, load(b, "getattr", node), subject, name)
        return lower_pattern(b, pattern, value)

    return fits


def _attribute(b: Builder, at: int, keyword: cst.MatchKeywordElement, subject: Reg) -> Part:
    def fits() -> Reg:
        value = b.reg()
        b.names.add(keyword.key.value)
        b.body.append(GetAttr(at, value, subject, keyword.key.value))
        return lower_pattern(b, keyword.pattern, value)

    return fits


_PATTERNS: dict[type[cst.CSTNode], Callable[[Builder, Any, Reg], Reg]] = {
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
    cst.MatchAs: _as,
    cst.MatchOr: _or,
    cst.MatchList: _sequence,
    cst.MatchTuple: _sequence,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
}
