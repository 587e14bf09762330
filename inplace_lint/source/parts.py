"""The parts of a top-level statement, and which of them may change a tensor in place, by syntax.

A part is a function, a method of a class, or what is left. It *stores* where it holds `x.name_()`,
`x[i] = v`, `x op= v` or `x.data = v`, except where `x` is sure to be no tensor (`source.kinds`) or
is a fresh one that nothing has read yet (`source.fresh`): such a write is seen by nobody. Nor does
what only happens `if inplace:`, since to ask for that is a write of its own.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.source.binding import bound_names
from inplace_lint.source.facts import COLLECTORS, FUNCTIONS, Facts, collect, first_line
from inplace_lint.source.fresh import is_unread
from inplace_lint.source.kinds import (
    holds_containers,
    is_all_data,
    is_no_tensor,
    sets_by_hand,
    writes_data,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.source.facts import Bound, Imported, Marks

INITIALISES = re.compile(r"init\w*_(?:weight|param)|weights?_init|reset_param|zero_init")
"""Functions that set weights before anything is computed with them."""


@dataclass(slots=True, eq=False)
class Part:
    """A function of a unit, a method of a class, or what is left (`name` is "" then).

    `lines` are the stretches it takes up, 1-based and inclusive. `builds`: it stores even while an
    object is constructed, when arguments are settings (numbers, if they are counted with). `quiet`:
    it sets weights before they are used. `params` are those of all its functions, `*args` and
    `**kwargs` apart; `tensors` says whether the annotation of one mentions a tensor; `imports` is
    what it imports.
    """

    name: str
    lines: tuple[tuple[int, int], ...]
    stores: bool
    builds: bool
    quiet: bool
    params: tuple[str, ...]
    tensors: bool
    imports: tuple[Imported, ...]


def module_containers(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Names that a module binds to lists and dicts alone."""
    facts = Facts([], frozenset())
    for statement in statements:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            COLLECTORS[type(statement)](facts, statement)
            continue
        for name in bound_names(statement):
            facts.bind(ast.Name(name), None, statement)
    return frozenset(name for name in facts.bound if holds_containers(facts, ast.Name(name)))


def parts_of(statement: ast.stmt, marks: Marks, containers: frozenset[str]) -> list[Part]:
    """The parts of a top-level statement; `containers` are the module's own lists and dicts."""
    whole = (first_line(statement), statement.end_lineno or statement.lineno)
    if not isinstance(statement, ast.ClassDef):
        name = statement.name if isinstance(statement, FUNCTIONS) else ""
        facts = Facts([statement], containers)
        collect(facts, marks)
        return [_part(name, (whole,), facts)]
    attributes: Bound = {}
    rest, line = [], whole[0]
    methods = [inner for inner in statement.body if isinstance(inner, FUNCTIONS)]
    others = [inner for inner in statement.body if not isinstance(inner, FUNCTIONS)]
    found = [("", (whole,), Facts(others, containers, attributes))]
    for method in methods:
        first, last = first_line(method), method.end_lineno or method.lineno
        found.append((method.name, ((first, last),), Facts([method], containers, attributes)))
        rest.append((line, first - 1))
        line = last + 1
    for _, _, facts in found:
        collect(facts, marks)
    parts = [_part(name, lines, facts) for name, lines, facts in found]
    parts[0].lines = tuple(span for span in (*rest, (line, whole[1])) if span[0] <= span[1])
    return parts


def _part(name: str, lines: tuple[tuple[int, int], ...], facts: Facts) -> Part:
    quiet = INITIALISES.search(name) is not None
    stores = bool(facts.suspects) and not quiet and _stores(facts)
    facts.constructs = True
    builds = stores and _stores(facts)
    params, imports = tuple(facts.params), tuple(facts.imports)
    return Part(name, lines, stores, builds, quiet, params, facts.tensors, imports)


def _stores(facts: Facts) -> bool:
    data = is_all_data(facts)
    return any(
        not (data and writes_data(facts, suspect))
        and not sets_by_hand(facts, suspect)
        and not is_no_tensor(facts, suspect)
        and not is_unread(facts, suspect)
        for suspect in facts.suspects
    )
