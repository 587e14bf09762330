"""Conditions, returns, loops and grad modes said in another way."""

from __future__ import annotations

import ast

from tests.metamorphic.operators import is_write, statements
from tests.metamorphic.program import FUNCTIONS, Program, Rewriting
from tests.metamorphic.syntax import blocks, expression, holds, made, single_target


def _inverted(statement: ast.stmt) -> list[ast.stmt]:
    if isinstance(statement, ast.If):
        statement.test = ast.UnaryOp(ast.Not(), statement.test)
        statement.body, statement.orelse = statement.orelse or made("pass"), statement.body
    return [statement]


def _ternary_as_if(statement: ast.stmt) -> list[ast.stmt]:
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Assign, ast.Return)) or not isinstance(value, ast.IfExp):
        return [statement]
    sides = {}
    for name, side in (("YES", value.body), ("NO", value.orelse)):
        if isinstance(statement, ast.Return):
            sides[name] = made("return VALUE", VALUE=side)
        else:
            sides[name] = [ast.Assign(statement.targets, side)]
        sides[name] = [ast.copy_location(s, statement) for s in sides[name]]
    return made("if TEST:\n    YES\nelse:\n    NO", TEST=value.test, **sides)


def rest_in_else(program: Program) -> None:
    """What follows an `if` that leaves stands in its `else`."""
    for block in blocks(program.tree):
        for place, statement in enumerate(block):
            leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return)
            rest = block[place + 1 :]
            if leaves and rest and isinstance(statement, ast.If) and not statement.orelse:
                statement.orelse = rest
                del block[place + 1 :]
                break


def _range_as_while(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.For) or not isinstance(statement.target, ast.Name):
        return [statement]
    call = statement.iter
    plain = isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and len(call.args) == 1
    if not plain or holds(statement.body, ast.Continue, ast.Break) or statement.orelse:
        return [statement]
    assert isinstance(call, ast.Call)
    name = statement.target
    text = "count = -1\nwhile count + 1 < END:\n    count += 1\n    NAME = count\n    BODY"
    text = text.replace("count", f"{name.id}_count")
    return made(text, NAME=name, END=call.args[0], BODY=statement.body)


def _comprehension_as_loop(statement: ast.stmt) -> list[ast.stmt]:
    name = single_target(statement)
    value = getattr(statement, "value", None)
    if name is None or not isinstance(value, ast.ListComp) or len(value.generators) != 1:
        return [statement]
    (part,) = value.generators
    if part.ifs or any(isinstance(n, ast.Name) and n.id == name.id for n in ast.walk(value)):
        return [statement]
    append = made("ITEMS.append(VALUE)", ITEMS=name, VALUE=value.elt)
    loop = made("for _i in ITEMS:\n    BODY", ITEMS=part.iter, BODY=append)
    assert isinstance(loop[0], ast.For)
    loop[0].target = part.target
    for inner in append:
        ast.copy_location(inner, statement)
    return [*made("ITEMS = []", ITEMS=name), *loop]


def _is_no_grad(item: ast.expr) -> bool:
    return ast.unparse(item) in ("torch.no_grad()", "torch.inference_mode()")


def _no_grad_as(text: str) -> Rewriting:
    def change(statement: ast.stmt) -> list[ast.stmt]:
        if not isinstance(statement, ast.With) or len(statement.items) != 1:
            return [statement]
        if ast.unparse(statement.items[0].context_expr) != "torch.no_grad()":
            return [statement]
        return made(text, BODY=statement.body)

    return statements(change)


def decorators_as_with(program: Program) -> None:
    """`@torch.no_grad()` is a `with` around the body."""
    for node in ast.walk(program.tree):
        if not isinstance(node, FUNCTIONS):
            continue
        modes = [d for d in node.decorator_list if _is_no_grad(d)]
        if modes and not holds(node.body, ast.Yield):
            node.decorator_list = [d for d in node.decorator_list if d not in modes]
            node.body = made("with MODE:\n    BODY", MODE=modes[0], BODY=node.body)


def _guarded(text: str) -> Rewriting:
    """A write stands under a condition about its tensor that holds."""

    def change(statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.Expr) and is_write(statement.value):
            call = statement.value
            assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            owner: ast.expr = call.func.value
        elif isinstance(statement, ast.AugAssign):
            owner = expression("NAME", NAME=statement.target)
        else:
            return [statement]
        if not isinstance(owner, ast.Name):
            return [statement]
        return made(text, OWNER=owner, BODY=[statement])

    return statements(change)


SWITCHED = """\
mode = torch.is_grad_enabled()
torch.set_grad_enabled(False)
try:
    BODY
finally:
    torch.set_grad_enabled(mode)
"""
REWRITINGS: dict[str, Rewriting] = {
    "conditions_inverted": statements(_inverted),
    "conditional_expressions_as_if": statements(_ternary_as_if),
    "rest_in_else": rest_in_else,
    "range_as_while": statements(_range_as_while),
    "comprehensions_as_loops": statements(_comprehension_as_loop),
    "no_grad_as_set_grad_enabled": _no_grad_as("with torch.set_grad_enabled(False):\n    BODY"),
    "no_grad_switched": _no_grad_as(SWITCHED),
    "no_grad_in_a_variable": _no_grad_as("mode = torch.no_grad()\nwith mode:\n    BODY"),
    "decorators_as_with": decorators_as_with,
    "guarded_by_none": _guarded("if OWNER is not None:\n    BODY"),
    "guarded_by_a_return": _guarded("if OWNER is None:\n    raise ValueError\nBODY"),
    "guarded_by_number": _guarded("if not isinstance(OWNER, str):\n    BODY"),
}
