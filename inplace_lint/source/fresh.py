"""Whether a write hits a fresh tensor that nothing has read: nobody can have saved it.

mask = x.new_empty(shape)
mask.bernoulli_(keep)         # unread: nothing but a write has named `mask` so far
return x * mask

out = torch.zeros(n)
for i in range(n):
    out[i] = f(out)           # read: by the round before
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inplace_lint.source.facts import Facts, Suspect

FRESH = frozenset(
    "zeros ones empty full rand randn randint randperm arange linspace eye zeros_like ones_like "
    "empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty new_full "
    "new_tensor clone".split()
)
"""Calls that give memory of their own to what they return."""
SAME = frozenset("to type type_as float double half bool int long cuda cpu contiguous".split())
"""Calls that give a fresh tensor itself, or a copy of it."""
FILLS = frozenset(
    "copy_ fill_ zero_ bernoulli_ uniform_ normal_ random_ exponential_ log_normal_ geometric_ "
    "cauchy_ fill_diagonal_ masked_fill_ index_fill_".split()
)
"""Writes that keep nothing of what they write to."""
DEFERRED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_unread(facts: Facts, suspect: Suspect) -> bool:
    """Whether a write is the first to see a tensor that its function has just made."""
    if isinstance(suspect.node, ast.Call) and is_fresh(suspect.target):
        return True
    base = _base(suspect.target)
    if base is None or not facts.in_function:
        return False
    values = facts.bound.get(base.id, ())
    if not values or not all(is_fresh(value) for value, _ in values):
        return False
    if any(isinstance(node, DEFERRED) for node in ast.walk(suspect.statement)):
        return False
    spans = [
        span
        for span in facts.spans
        if _holds(span, suspect.statement) and not all(_holds(span, made) for _, made in values)
    ]
    if any(isinstance(span, FUNCTIONS) for span in spans):
        return False
    again = _is_fill(suspect) or not spans
    return again and not any(
        _comes_before(name, suspect, spans) for name in _readers(facts, base.id, suspect)
    )


def is_fresh(value: ast.expr | None) -> bool:
    """`zeros(...)`, `x.new_empty(...).to(device).bernoulli_(p)`."""
    while isinstance(value, ast.Call):
        name = getattr(value.func, "attr", None) or getattr(value.func, "id", "")
        if name in FRESH:
            keywords = {keyword.arg for keyword in value.keywords}
            return not keywords & {None, "requires_grad", "out"}
        if name not in SAME and name not in FILLS:
            return False
        value = value.func.value if isinstance(value.func, ast.Attribute) else None
    return False


def _base(target: ast.expr) -> ast.Name | None:
    """The name that `name`, `name[i]`, `name[i][j]` begin with."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target if isinstance(target, ast.Name) else None


def _is_fill(suspect: Suspect) -> bool:
    node = suspect.node
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") in FILLS
    return isinstance(node, ast.Subscript)


def _holds(span: ast.stmt, statement: ast.stmt) -> bool:
    return span.lineno <= statement.lineno <= (span.end_lineno or span.lineno)


def _readers(facts: Facts, name: str, suspect: Suspect) -> list[ast.Name]:
    """Where the name is read, but for the targets of writes that keep nothing of it."""
    filled = {id(_base(other.target)) for other in facts.suspects if _is_fill(other)}
    filled.add(id(_base(suspect.target)))
    return [
        node
        for statement in facts.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and id(node) not in filled
    ]


def _comes_before(reader: ast.Name, suspect: Suspect, spans: list[ast.stmt]) -> bool:
    last = suspect.statement.end_lineno or suspect.statement.lineno
    if isinstance(suspect.statement, FUNCTIONS) or reader.lineno <= last:
        return True
    return any(_holds(span, reader) for span in spans)  # type: ignore[arg-type]
