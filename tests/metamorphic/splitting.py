"""A chain in parts, parts in one chain, and values that go through another name or container."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable

from tests.metamorphic.program import DEFINITIONS, Program, Rewriting
from tests.metamorphic.syntax import (
    at,
    blocks,
    each,
    expression,
    holds,
    made,
    single_target,
    walked,
)

HOISTED = (ast.Call, ast.BinOp, ast.Subscript, ast.UnaryOp)
OPAQUE = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.BoolOp,
    ast.IfExp,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
    ast.JoinedStr,
)
"""What evaluates its parts not once, not always or not here."""


class _Parts(ast.NodeTransformer):
    """Gives every part of an expression a name of its own, in the order of evaluation."""

    def __init__(self, kinds: tuple[type, ...]) -> None:
        self.kinds = kinds
        self.count = 0
        self.before: list[ast.stmt] = []

    def inside(self, root: ast.expr) -> ast.expr:
        """Split the parts of `root`, which itself stays."""
        if isinstance(root, OPAQUE):
            return root
        self.generic_visit(root)
        return root

    def visit(self, node: ast.AST) -> ast.AST:
        """Split below, then take the node itself out."""
        if isinstance(node, OPAQUE) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
            return node
        self.generic_visit(node)
        if not isinstance(node, self.kinds) or isinstance(getattr(node, "ctx", None), ast.Store):
            return node
        self.count += 1
        name = ast.Name(f"part{self.count}", ast.Load())
        self.before += made("NAME = VALUE", NAME=name, VALUE=node)  # type: ignore[arg-type]
        return name


def in_parts(kinds: tuple[type, ...]) -> Rewriting:
    """One operation a statement."""

    def rewrite(program: Program) -> None:
        parts = _Parts(kinds)

        def split(statement: ast.stmt) -> list[ast.stmt]:
            field = "iter" if isinstance(statement, ast.For) else "value"
            value = getattr(statement, field, None)
            if isinstance(value, ast.expr):
                parts.before = []
                setattr(statement, field, parts.inside(value))
                return [*at(statement, parts.before), statement]
            return [statement]

        each(program.tree, split)

    return rewrite


def joined(program: Program) -> None:
    """A name that is used once, in the next statement, gives way to its value."""
    tree = program.tree
    counted = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    for block in blocks(tree):
        place = 0
        while place + 1 < len(block):
            name = single_target(block[place])
            if name and counted[name.id] == 2 and _join(block[place], block[place + 1], name.id):
                program.joined[block[place + 1].lineno] = block[place].lineno
                del block[place]
            place += 1


def _join(first: ast.stmt, second: ast.stmt, name: str) -> bool:
    value = getattr(second, "value", None)
    assert isinstance(first, ast.Assign)
    if not isinstance(value, ast.expr) or holds(value, *OPAQUE) or holds(first.value, *OPAQUE):
        return False
    uses = [n for n in walked(value) if isinstance(n, ast.Name) and n.id == name]
    if len(uses) != 1 or not _is_first(value, uses[0]):
        return False
    _Replacer(name, first.value).visit(second)
    return True


def _is_first(value: ast.expr, use: ast.Name) -> bool:
    """Whether nothing is computed before a name is read."""
    place = (use.lineno, use.col_offset)
    return all(
        (node.lineno, node.col_offset) >= place or use in [*ast.walk(node)]
        for node in ast.walk(value)
        if isinstance(node, (*HOISTED, ast.Attribute))
    )


class _Replacer(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.value if node.id == self.name else node


def assigned_as(text: str) -> Rewriting:
    """`name = VALUE` in another way that gives NAME the same value."""

    def change(statement: ast.stmt) -> list[ast.stmt]:
        name = single_target(statement)
        if name is None or holds(statement, ast.Yield, ast.Await, ast.YieldFrom):
            return [statement]
        if "lambda" in text and holds(statement, ast.NamedExpr):
            return [statement]
        assert isinstance(statement, ast.Assign)
        return at(statement, made(text, NAME=name, VALUE=statement.value))

    return _each_outside_super(change)


def _each_outside_super(change: Callable[[ast.stmt], list[ast.stmt]]) -> Rewriting:
    def careful(statement: ast.stmt) -> list[ast.stmt]:
        found = any(isinstance(n, ast.Name) and n.id == "super" for n in ast.walk(statement))
        return [statement] if found or isinstance(statement, DEFINITIONS) else change(statement)

    return lambda program: each(program.tree, careful)


def _return_named(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.Return) or statement.value is None:
        return [statement]
    return at(statement, made("result = VALUE\nreturn result", VALUE=statement.value))


def _unpacked(text: str) -> Rewriting:
    """`a, b = VALUE` in two steps; FIRST and SECOND are the targets."""

    def change(statement: ast.stmt) -> list[ast.stmt]:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return [statement]
        target = statement.targets[0]
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or holds(target, ast.Starred):
            return [statement]
        first, second = target.elts
        return at(statement, made(text, FIRST=first, SECOND=second, VALUE=statement.value))

    return lambda program: each(program.tree, change)


def _iterated(text: str) -> Rewriting:
    """Another spelling of what a loop runs over."""

    def change(statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.For):
            statement.iter = expression(text, VALUE=statement.iter)
        return [statement]

    return lambda program: each(program.tree, change)


ASSIGNED = {
    "through_a_list": "NAME = [VALUE][0]",
    "through_a_tuple": "NAME, _rest = (VALUE, None)",
    "through_a_dict": "NAME = {'it': VALUE}['it']",
    "through_an_object": "import types\nheld = types.SimpleNamespace(it=VALUE)\nNAME = held.it",
    "through_a_lambda": "NAME = (lambda: VALUE)()",
    "through_a_condition": "NAME = VALUE if True else None",
    "through_a_check": "made = VALUE\nif made is not None:\n    NAME = made",
    "through_another_name": "before = VALUE\nNAME = before",
    "through_a_star": "NAME, *_rest = [VALUE, 1, 2]",
    "through_a_comprehension": "NAME = next(it for it in [VALUE])",
    "by_walrus": "(NAME := VALUE)",
    "annotated": "NAME: object = VALUE",
}
REWRITINGS: dict[str, Rewriting] = {
    "three_address": in_parts(HOISTED),
    "chains_split": in_parts((ast.Call,)),
    "joined": joined,
    **{f"assigned_{name}": assigned_as(text) for name, text in ASSIGNED.items()},
    "returned_by_name": _each_outside_super(_return_named),
    "unpacked_by_index": _unpacked("pair = tuple(VALUE)\nFIRST = pair[0]\nSECOND = pair[1]"),
    "unpacked_with_star": _unpacked("FIRST, *more = VALUE\nSECOND = more[0]"),
    "unpacked_as_list": _unpacked("[FIRST, SECOND] = list(VALUE)"),
    "iterated_by_enumerate": _iterated("(pair[1] for pair in enumerate(VALUE))"),
    "iterated_by_list": _iterated("list(VALUE)"),
    "iterated_by_iter": _iterated("iter(VALUE)"),
}
