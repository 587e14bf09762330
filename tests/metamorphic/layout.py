"""The order of definitions, what stands around them, and what does nothing."""

from __future__ import annotations

import ast
from itertools import groupby

from tests.metamorphic.program import DEFINITIONS, FUNCTIONS, SIMPLE, Program, Rewriting
from tests.metamorphic.syntax import (
    Uses,
    each,
    expression,
    is_docstring,
    made,
    parameters,
    single_target,
)


def _needed(definition: ast.stmt) -> set[str]:
    """What a definition uses when it is executed."""
    if isinstance(definition, ast.ClassDef):
        parts = [*definition.bases, *definition.decorator_list, *definition.body]
        return Uses(p for p in parts if not isinstance(p, FUNCTIONS)).loads
    assert isinstance(definition, FUNCTIONS)
    return Uses([definition.args, *definition.decorator_list]).loads


def definitions_reversed(program: Program) -> None:
    """Functions and classes in the opposite order, as far as bases and decorators permit."""
    body: list[ast.stmt] = []
    for are, group in groupby(program.tree.body, lambda s: isinstance(s, DEFINITIONS)):
        run = [*group]
        body += _reversed(run) if are else run
    program.tree.body = body


def _reversed(definitions: list[ast.stmt]) -> list[ast.stmt]:
    pending, done = definitions[::-1], []
    while pending:
        names = {d.name for d in pending if isinstance(d, DEFINITIONS)}
        ready = next((d for d in pending if not _needed(d) & names), pending[0])
        done.append(ready)
        pending.remove(ready)
    return done


def methods_reversed(program: Program) -> None:
    """Methods in the opposite order."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.ClassDef):
            methods = [s for s in node.body if isinstance(s, FUNCTIONS)]
            if not any("setter" in ast.unparse(d) for m in methods for d in m.decorator_list):
                rest = [s for s in node.body if s not in methods]
                node.body = [*rest, *methods[::-1]]


def base_between(program: Program) -> None:
    """Classes derive from one of the file that derives from their base; a NamedTuple is its own."""
    body: list[ast.stmt] = []
    for statement in program.tree.body:
        bases = statement.bases if isinstance(statement, ast.ClassDef) else []
        if len(bases) == 1 and not ast.unparse(bases[0]).endswith("NamedTuple"):
            assert isinstance(statement, ast.ClassDef)
            name = f"{statement.name}Base"
            body += made(f"class {name}(BASE):\n    pass", BASE=statement.bases[0])
            statement.bases = [ast.Name(name, ast.Load())]
        body.append(statement)
    program.tree.body = body


def super_with_arguments(program: Program) -> None:
    """`super(Net, self)`."""
    for node in program.tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call) == "super()":
                call.args = [expression(node.name), expression("self")]


def _called_by_name(program: Program, change: str) -> None:
    """Calls of the file's own functions and constructors, their arguments by keyword."""
    known = {}
    for node in program.tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            known[node.name] = node
        if isinstance(node, ast.ClassDef):
            functions = [f for f in node.body if isinstance(f, ast.FunctionDef)]
            known.update((node.name, f) for f in functions if f.name == "__init__")
    for call in ast.walk(program.tree):
        function = known.get(ast.unparse(call.func)) if isinstance(call, ast.Call) else None
        if function is None or not isinstance(call, ast.Call):
            continue
        names = [a.arg for a in function.args.args if a.arg != "self"]
        starred = any(isinstance(a, ast.Starred) for a in call.args) or len(call.args) > len(names)
        if starred or function.args.posonlyargs:
            continue
        named = [ast.keyword(n, v) for n, v in zip(names, call.args, strict=False)]
        call.args, call.keywords = [], [*named, *call.keywords]
        if change == "starred" and all(k.arg for k in call.keywords) and call.keywords:
            keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in call.keywords]
            call.keywords = [ast.keyword(None, ast.Dict(keys, [k.value for k in call.keywords]))]


DEAD_METHOD = "def unused(self, x):\n    x = x.exp()\n    return x.shape"
DEAD_FUNCTION = "def unused_function(step, x=None):\n    return [step for _ in range(3)]"
DEAD_BRANCH = "if False:\n    raise ValueError('never')"
DEAD_WRITE = "if False:\n    NAME.add_(1)"


def dead_definitions(program: Program) -> None:
    """A function and methods that nothing calls."""
    for node in program.tree.body:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(f, FUNCTIONS) and parameters(f)[:1] and parameters(f)[0].arg == "self"
            for f in node.body
        ):
            node.body += made(DEAD_METHOD)
    program.tree.body += made(DEAD_FUNCTION)


def dead_branches(program: Program) -> None:
    """A condition that never holds before each statement."""
    each(program.tree, lambda s: [*made(DEAD_BRANCH), s] if isinstance(s, SIMPLE) else [s])


def _after_assignments(text: str) -> Rewriting:
    def change(statement: ast.stmt) -> list[ast.stmt]:
        name = single_target(statement)
        return [statement, *made(text, NAME=name)] if name else [statement]

    return lambda program: each(program.tree, change)


def dead_after_return(program: Program) -> None:
    """Code that no path reaches."""
    text = "raise AssertionError('unreachable')"
    each(program.tree, lambda s: [s, *made(text)] if isinstance(s, ast.Return) else [s])


def documented(program: Program) -> None:
    """Docstrings everywhere."""
    for node in ast.walk(program.tree):
        if isinstance(node, DEFINITIONS) and not is_docstring(node.body[0]):
            node.body[:0] = made("'''What it does:\n\n    x.add_(1)  # in place\n'''")


def _parameters(tree: ast.Module) -> list[ast.arg]:
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    return [arg for function in functions for arg in parameters(function)]


def hinted(program: Program) -> None:
    """Parameters that have no type yet are `Any`."""
    for arg in _parameters(program.tree):
        known = arg.arg in ("self", "cls", "ctx")
        arg.annotation = arg.annotation or (None if known else expression("typing.Any"))
    future = [s for s in program.tree.body if getattr(s, "module", "") == "__future__"]
    rest = [s for s in program.tree.body if s not in future]
    program.tree.body = [*future, *made("import typing"), *rest]


def unhinted(program: Program) -> None:
    """No annotation on a parameter."""
    for arg in _parameters(program.tree):
        arg.annotation = None


def hints_as_strings(program: Program) -> None:
    """Annotations in quotes."""
    for arg in _parameters(program.tree):
        if arg.annotation and not isinstance(arg.annotation, ast.Constant):
            arg.annotation = ast.Constant(ast.unparse(arg.annotation))


REWRITINGS: dict[str, Rewriting] = {
    "definitions_reversed": definitions_reversed,
    "methods_reversed": methods_reversed,
    "base_between": base_between,
    "super_with_arguments": super_with_arguments,
    "called_by_name": lambda program: _called_by_name(program, "named"),
    "called_by_mapping": lambda program: _called_by_name(program, "starred"),
    "dead_definitions": dead_definitions,
    "dead_branches": dead_branches,
    "dead_after_return": dead_after_return,
    "dead_writes": _after_assignments(DEAD_WRITE),
    "seen_by_print": _after_assignments("print(NAME)"),
    "asserted": _after_assignments("assert NAME is not None"),
    "also_named": _after_assignments("also = NAME"),
    "documented": documented,
    "hinted": hinted,
    "unhinted": unhinted,
    "hints_as_strings": hints_as_strings,
}
