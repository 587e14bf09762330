"""Literal tests: the COND of `saves: ["input when p!='nuc'"]`, evaluated in three values.

    inplace and p!=0            names are parameters of the row (of `init` for a module)
    not self.training           an attribute of the called module
    dim is None, p in (1, 2)    comparison with literals
    tensor(exponent)            the argument is a tensor
    number(exponent)            the argument is not a tensor, and not None

A name whose value is not known makes a test unknown (None), unless the rest decides it.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.opdb.model import UNKNOWN, Condition, Known

if TYPE_CHECKING:
    from collections.abc import Callable

    Lookup: TypeAlias = "Callable[[str], Known]"
    Value: TypeAlias = "Callable[[Lookup], Known]"
    Test: TypeAlias = "Callable[[Lookup], bool | None]"

TENSOR = "<tensor>"
"""What a lookup answers for an argument that is a tensor."""


class ConditionError(ValueError):
    """The text is no literal test; the message says why."""


def parse_condition(text: str) -> Condition:
    """Compile `text`; raises ConditionError with the reason."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ConditionError(f"not a test: {text!r}") from error
    return Condition(text, _test(tree))


def names_in(text: str) -> set[str]:
    """The parameters and attributes (`self.x`) a condition reads."""
    found: set[str] = set()
    _collect(ast.parse(text, mode="eval").body, found)
    return found


def _collect(node: ast.expr, found: set[str]) -> None:
    name = _name_of(node)
    if name is not None:
        found.add(name)
        return
    children = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    for child in children:
        if isinstance(child, ast.expr):
            _collect(child, found)


def _name_of(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _test(node: ast.expr) -> Test:
    if isinstance(node, ast.BoolOp):
        parts = [_test(value) for value in node.values]
        return _all_of(parts) if isinstance(node.op, ast.And) else _any_of(parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _negation(_test(node.operand))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(node)
    if isinstance(node, ast.Call):
        return _kind_test(node)
    return _truth(_value(node))


def _all_of(parts: list[Test]) -> Test:
    def test(lookup: Lookup) -> bool | None:
        answers = [part(lookup) for part in parts]
        if False in answers:
            return False
        return None if None in answers else True

    return test


def _any_of(parts: list[Test]) -> Test:
    def test(lookup: Lookup) -> bool | None:
        answers = [part(lookup) for part in parts]
        if True in answers:
            return True
        return None if None in answers else False

    return test


def _negation(part: Test) -> Test:
    def test(lookup: Lookup) -> bool | None:
        answer = part(lookup)
        return None if answer is None else not answer

    return test


def _truth(value: Value) -> Test:
    def test(lookup: Lookup) -> bool | None:
        known = value(lookup)
        if known is UNKNOWN or known == TENSOR:
            return None
        return bool(known)

    return test


def _identical(left: Known, right: Known) -> bool:
    return left is right or (type(left) is type(right) and left == right)


def _contained(item: Known, items: Known) -> bool:
    return isinstance(items, tuple) and item in items


_COMPARISONS: dict[type[ast.cmpop], Callable[[Known, Known], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,  # type: ignore[dict-item]
    ast.LtE: operator.le,  # type: ignore[dict-item]
    ast.Gt: operator.gt,  # type: ignore[dict-item]
    ast.GtE: operator.ge,  # type: ignore[dict-item]
    ast.Is: _identical,
    ast.IsNot: lambda left, right: not _identical(left, right),
    ast.In: _contained,
    ast.NotIn: lambda left, right: not _contained(left, right),
}


def _comparison(node: ast.Compare) -> Test:
    compare = _COMPARISONS[type(node.ops[0])]
    identity = isinstance(node.ops[0], (ast.Is, ast.IsNot))
    left, right = _value(node.left), _value(node.comparators[0])

    def test(lookup: Lookup) -> bool | None:
        first, second = left(lookup), right(lookup)
        if UNKNOWN in (first, second) or (TENSOR in (first, second) and not identity):
            return None
        try:
            return compare(first, second)
        except TypeError:
            return None

    return test


def _kind_test(node: ast.Call) -> Test:
    kind = _name_of(node.func)
    if kind not in {"tensor", "number"} or len(node.args) != 1:
        raise ConditionError(f"not a test: {ast.unparse(node)!r}")
    value = _value(node.args[0])

    def test(lookup: Lookup) -> bool | None:
        known = value(lookup)
        if known is UNKNOWN:
            return None
        if kind == "tensor":
            return known == TENSOR
        return known is not None and known != TENSOR

    return test


def _value(node: ast.expr) -> Value:
    name = _name_of(node)
    if name is not None:
        return lambda lookup: lookup(name)
    try:
        literal = ast.literal_eval(node)
    except ValueError as error:
        raise ConditionError(f"neither a name nor a literal: {ast.unparse(node)!r}") from error
    return lambda _lookup: literal
