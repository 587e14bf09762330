"""A call of the file's own function or method gives way to its body."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass

from tests.metamorphic.naming import renamed_body
from tests.metamorphic.program import DEFINITIONS, FUNCTIONS, Program, Rewriting
from tests.metamorphic.syntax import Uses, each, holds, made, parameters

NOT_INLINED = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, *DEFINITIONS)


@dataclass(slots=True)
class Inliner:
    """Replaces statements that call one of `callees` and do nothing else with the result."""

    callees: dict[str, ast.FunctionDef]
    count: int = 0

    def __call__(self, statement: ast.stmt) -> list[ast.stmt]:
        """The callee's body, its result bound as the statement binds it."""
        value = getattr(statement, "value", None)
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.Return)):
            return [statement]
        if not isinstance(value, ast.Call):
            return [statement]
        callee = self.callees.get(ast.unparse(value.func))
        given = _arguments(callee, value) if callee else None
        if callee is None or given is None:
            return [statement]
        self.count += 1
        return self.body(statement, callee, given)

    def body(
        self, statement: ast.stmt, callee: ast.FunctionDef, given: dict[str, ast.expr]
    ) -> list[ast.stmt]:
        """The callee's statements with its names made its own."""
        own = {a.arg for a in parameters(callee)} | Uses(callee.body).stores
        names = {name: f"{name}_{self.count}" for name in own if name != "self"}
        binds = [s for n, v in given.items() for s in made(f"{names[n]} = VALUE", VALUE=v)]
        for bind in binds:
            ast.copy_location(bind, statement)
        *body, last = renamed_body(copy.deepcopy(callee.body), names)
        result: ast.expr = ast.Constant(None)
        if isinstance(last, ast.Return):
            result = last.value or result
            last = ast.copy_location(made(f"result_{self.count} = VALUE", VALUE=result)[0], last)
            result = ast.Name(f"result_{self.count}", ast.Load())
        statement.value = result  # type: ignore[attr-defined]
        return [*binds, *body, last, statement]


def _arguments(callee: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """Each parameter's argument or default; None if they do not fit plainly."""
    names = [a.arg for a in callee.args.args if a.arg != "self"]
    defaults = callee.args.defaults
    filled = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    filled |= dict(zip(names, call.args, strict=False))
    filled |= {k.arg or "**": k.value for k in call.keywords}
    fits = set(filled) == set(names) and len(call.args) <= len(names)
    return None if not fits or any(isinstance(a, ast.Starred) for a in call.args) else filled


def _can_go(function: ast.stmt) -> bool:
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    args = function.args
    odd = args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs
    returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    early = len(returns) > 1 or (returns and returns[0] is not function.body[-1])
    called = Uses(function.body).loads
    return not (odd or early or holds(function.body, *NOT_INLINED) or function.name in called)


def functions_inlined(program: Program) -> None:
    """Calls of functions of the file."""
    own = {s.name: s for s in program.tree.body if isinstance(s, ast.FunctionDef) and _can_go(s)}
    inliner = Inliner(own)
    each(program.tree, inliner)


def methods_inlined(program: Program) -> None:
    """Calls of `self`'s methods where no class of the file has two of that name."""
    methods = [
        f
        for c in program.tree.body
        if isinstance(c, ast.ClassDef)
        for f in c.body
        if isinstance(f, FUNCTIONS)
    ]
    names = [m.name for m in methods]
    own = {
        f"self.{m.name}": m
        for m in methods
        if names.count(m.name) == 1 and isinstance(m, ast.FunctionDef) and _can_go(m)
    }
    each(program.tree, Inliner(own))


REWRITINGS: dict[str, Rewriting] = {
    "functions_inlined": functions_inlined,
    "methods_inlined": methods_inlined,
}
