"""Parts of a function become functions, methods or closures of their own, here or elsewhere."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tests.metamorphic.program import DEFINITIONS, IMPORTS, SIMPLE, Program, Rewriting
from tests.metamorphic.syntax import (
    Scope,
    Uses,
    blocks,
    holds,
    is_docstring,
    is_plain,
    made,
    parameters,
    scopes,
    uses_super,
)

OTHER_FILE = "parts.py"
LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
KEPT_WHOLE = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Delete)


@dataclass(slots=True)
class Extractor:
    """Makes definitions of statements and keeps them until they are placed."""

    definitions: list[ast.stmt] = field(default_factory=list)

    def define(self, body: Sequence[ast.stmt], inputs: Iterable[str]) -> str:
        """Make a function of statements; its name."""
        name = f"_part_{len(self.definitions) + 1}"
        function = made(f"def {name}({', '.join(inputs)}):\n    BODY", BODY=[*body])
        self.definitions += function
        return name


def _locals(scope: Scope) -> set[str]:
    own = Uses(s for s in scope.body if not isinstance(s, (*DEFINITIONS, *IMPORTS))).stores
    return own if isinstance(scope, ast.Module) else own | {a.arg for a in parameters(scope)}


def _in_front(tree: ast.Module, scope: Scope, definitions: list[ast.stmt]) -> None:
    """Place definitions before what uses them: its own definition or class, or the script."""
    places = (
        place
        for place, statement in enumerate(tree.body)
        if (scope is tree and is_plain(statement))
        or any(node is scope for node in ast.walk(statement))
    )
    place = next(places, len(tree.body))
    tree.body[place:place] = definitions


def statements_as_functions(program: Program) -> None:
    """Each simple statement that works on locals alone is a function."""
    made_before = 0
    for scope in scopes(program.tree):
        extractor = Extractor([ast.Pass()] * made_before)
        own = _locals(scope)
        for block in _own_blocks(scope):
            block[:] = [_statement_apart(s, own, extractor) for s in block]
        _in_front(program.tree, scope, extractor.definitions[made_before:])
        made_before = len(extractor.definitions)


def _own_blocks(scope: Scope) -> list[list[ast.stmt]]:
    """The blocks of a scope without those of definitions in it."""
    inner = [n for s in scope.body for n in ast.walk(s) if isinstance(n, DEFINITIONS)]
    foreign = {id(block) for node in inner for block in blocks(node)}
    return [b for b in blocks(scope) if id(b) not in foreign]


def _statement_apart(statement: ast.stmt, own: set[str], extractor: Extractor) -> ast.stmt:
    whole = holds(statement, *LEAVES, *KEPT_WHOLE) or uses_super([statement])
    if not isinstance(statement, SIMPLE) or whole or is_docstring(statement):
        return statement
    uses = Uses([statement])
    outputs, inputs = sorted(uses.stores & own), sorted(uses.loads & own)
    back = made(f"return {', '.join(outputs)}") if outputs else []
    call = f"{extractor.define([statement, *back], inputs)}({', '.join(inputs)})"
    text = f"{', '.join(outputs)} = {call}" if outputs else call
    return ast.copy_location(made(text)[0], statement)


Place = Callable[[Program, Scope, ast.stmt], str | None]
"""Where a tail's function goes; gives what the call names, None if it can't go there."""


def tails(placed: str) -> Rewriting:
    """The second half of each function is a function, a method or a closure."""

    def rewrite(program: Program) -> None:
        for number, scope in enumerate(scopes(program.tree)[1:], 1):
            if not _is_left_whole(scope):
                _split(program, scope, (placed, f"_rest_{number}"))

    return rewrite


def _is_left_whole(scope: Scope) -> bool:
    return (
        len(_work(scope)) < 2
        or holds(scope.body, *KEPT_WHOLE)
        or isinstance(scope, ast.AsyncFunctionDef)
    )


def _work(scope: Scope) -> list[ast.stmt]:
    return [s for s in scope.body if not is_docstring(s)]


def _split(program: Program, scope: Scope, how: tuple[str, str]) -> None:
    assert isinstance(scope, ast.FunctionDef)
    placed, name = how
    middle = len(scope.body) - len(_work(scope)) // 2
    head, tail = scope.body[:middle], scope.body[middle:]
    before = Uses(head).stores | {arg.arg for arg in parameters(scope)}
    uses = Uses(tail)
    if uses_super(tail):
        return
    if placed == "closure":
        changed = sorted(uses.stores & before)
        nonlocal_ = made(f"nonlocal {', '.join(changed)}") if changed else []
        closure = made(f"def {name}():\n    BODY", BODY=[*nonlocal_, *tail])
        scope.body = [*head, *closure, *made(f"return {name}()")]
        return
    inputs = sorted(uses.loads & before)
    owner = _class_of(program.tree, scope)
    if placed == "method" and (owner is None or "self" not in before or scope.decorator_list):
        return
    prefix = "self." if placed == "method" else ""
    inputs = [i for i in inputs if i != "self"] if prefix else inputs
    own = ["self", *inputs] if prefix else inputs
    function = made(f"def {name}({', '.join(own)}):\n    BODY", BODY=tail)
    if placed == "method":
        assert owner is not None
        owner.body += function
    elif placed == "function":
        _in_front(program.tree, scope, function)
    elif not _elsewhere(program, function, name):
        return
    scope.body = [*head, *made(f"return {prefix}{name}({', '.join(inputs)})")]


def _class_of(tree: ast.Module, scope: Scope) -> ast.ClassDef | None:
    classes = [c for c in tree.body if isinstance(c, ast.ClassDef)]
    return next((c for c in classes if any(f is scope for f in c.body)), None)


def _elsewhere(program: Program, function: list[ast.stmt], name: str) -> bool:
    """Put a function into another file of the project, if it uses nothing of this one."""
    imports = [s for s in program.tree.body if isinstance(s, IMPORTS)]
    needed = Uses(function).loads & (Uses(program.tree.body).stores - Uses(imports).stores)
    classes = {c.name for c in program.tree.body if isinstance(c, ast.ClassDef)}
    if needed | (Uses(function).loads & classes):
        return False
    if OTHER_FILE not in program.trees:
        own: list[ast.stmt] = [
            s for s in copy.deepcopy(imports) if getattr(s, "module", "") != "__future__"
        ]
        program.trees[OTHER_FILE] = ast.Module(own, [])
    program.trees[OTHER_FILE].body += function
    module = OTHER_FILE.removesuffix(".py")
    program.tree.body[:0] = made(f"from {module} import {name}")
    return True


def definitions_elsewhere(program: Program) -> None:
    """All functions and classes live in another file, unless they use the script's globals."""
    tree = program.tree
    moved: list[ast.stmt] = [s for s in tree.body if isinstance(s, DEFINITIONS)]
    imports = [s for s in tree.body if isinstance(s, IMPORTS)]
    rest = [s for s in tree.body if s not in moved and s not in imports]
    used = {n.id for s in moved for n in ast.walk(s) if isinstance(n, ast.Name)}
    if not moved or used & Uses(rest).stores:
        return
    names = [s.name for s in moved if isinstance(s, DEFINITIONS)]
    future = [s for s in imports if getattr(s, "module", "") == "__future__"]
    program.trees[OTHER_FILE] = ast.Module([*copy.deepcopy(imports), *moved], [])
    here = made(f"from {OTHER_FILE.removesuffix('.py')} import {', '.join(names)}")
    tree.body = [*future, *[s for s in imports if s not in future], *here, *rest]


REWRITINGS: dict[str, Rewriting] = {
    "statements_as_functions": statements_as_functions,
    "tails_as_functions": tails("function"),
    "tails_as_methods": tails("method"),
    "tails_as_closures": tails("closure"),
    "tails_elsewhere": tails("elsewhere"),
    "definitions_elsewhere": definitions_elsewhere,
}
