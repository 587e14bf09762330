"""Other names for locals, parameters, attributes and definitions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from tests.metamorphic.program import DEFINITIONS, FUNCTIONS, Program, Rewriting
from tests.metamorphic.syntax import Scope, Uses, parameters, scopes


class _Renamer(ast.NodeTransformer):
    def __init__(self, renamed: dict[str, str]) -> None:
        self.renamed = renamed

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.generic_visit(node)
        node.arg = self.renamed.get(node.arg, node.arg)
        return node


def renamed_body(body: list[ast.stmt], renamed: dict[str, str]) -> list[ast.stmt]:
    """The statements with other names for variables; nested parameters included."""
    for statement in body:
        _Renamer(renamed).visit(statement)
    return body


def _bound_otherwise(tree: ast.AST) -> set[str]:
    """Names that not (only) assignments bind, or that are spoken of as text."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword):
            found.add(node.arg or "")
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found |= {*node.names}
        elif isinstance(node, (*DEFINITIONS, ast.alias, ast.ExceptHandler)):
            found |= {node.name or "", getattr(node, "asname", None) or ""}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found


def _rename(scope: Scope, wanted: Iterable[str], stem: str) -> None:
    renamed = {name: f"{stem}{number}" for number, name in enumerate(sorted(wanted), 1)}
    renamed_body(scope.body, renamed)
    if not isinstance(scope, ast.Module):
        for arg in parameters(scope):
            arg.arg = renamed.get(arg.arg, arg.arg)


def locals_renamed(program: Program) -> None:
    """Locals of functions are called v1, v2 ..."""
    fixed = _bound_otherwise(program.tree) | program.kept
    for scope in scopes(program.tree)[1:]:
        nested = {a.arg for n in ast.walk(scope) if isinstance(n, ast.arguments) for a in n.args}
        _rename(scope, Uses(scope.body).stores - nested - fixed, "v")


def globals_renamed(program: Program) -> None:
    """What a script assigns is called g1, g2 ... unless a function has a local of that name."""
    fixed = _bound_otherwise(program.tree) | program.kept
    for scope in scopes(program.tree)[1:]:
        fixed |= Uses(scope.body).stores
    fixed |= {node.arg for node in ast.walk(program.tree) if isinstance(node, ast.arg)}
    stored = Uses(s for s in program.tree.body if not isinstance(s, ast.ClassDef)).stores
    _rename(program.tree, stored - fixed, "g")


def parameters_renamed(program: Program) -> None:
    """Parameters are called p1, p2 ... where no call names them."""
    fixed = _bound_otherwise(program.tree) | program.kept | {"self", "cls", "ctx"}
    for scope in scopes(program.tree)[1:]:
        assert isinstance(scope, FUNCTIONS)
        _rename(scope, {arg.arg for arg in parameters(scope)} - fixed, "p")


def definitions_renamed(program: Program) -> None:
    """Functions and classes of the file that the driver does not use are called d1, d2 ..."""
    counted = Counter(d.name for d in ast.walk(program.tree) if isinstance(d, DEFINITIONS))
    attributes = {n.attr for n in ast.walk(program.tree) if isinstance(n, ast.Attribute)}
    arguments = {n.arg for n in ast.walk(program.tree) if isinstance(n, (ast.arg, ast.keyword))}
    own = [d for d in program.tree.body if isinstance(d, DEFINITIONS)]
    free = {d.name for d in own if counted[d.name] == 1}
    free -= attributes | arguments | program.kept
    renamed = {name: f"d{number}" for number, name in enumerate(sorted(free), 1)}
    for definition in own:
        definition.name = renamed.get(definition.name, definition.name)
    _Renamer(renamed).visit(program.tree)


def attributes_renamed(program: Program) -> None:
    """Attributes that only `self` has are called a1, a2 ..."""
    nodes = [n for n in ast.walk(program.tree) if isinstance(n, ast.Attribute)]
    fixed = _bound_otherwise(program.tree) | program.kept | {"training"}
    fixed |= {n.attr for n in nodes if not _of_self(n)}
    free = {n.attr for n in nodes if isinstance(n.ctx, ast.Store)} - fixed
    renamed = {name: f"a{number}" for number, name in enumerate(sorted(free), 1)}
    for node in nodes:
        node.attr = renamed.get(node.attr, node.attr)


def methods_renamed(program: Program) -> None:
    """Private methods that only `self` calls are called m1, m2 ..."""
    nodes = [n for n in ast.walk(program.tree) if isinstance(n, ast.Attribute)]
    fixed = {n.attr for n in nodes if not _of_self(n)} | program.kept
    functions = [
        f
        for c in program.tree.body
        if isinstance(c, ast.ClassDef)
        for f in c.body
        if isinstance(f, FUNCTIONS)
    ]
    used = {n.attr for n in nodes}
    free = {f.name for f in functions if f.name in used and not f.decorator_list} - fixed
    free = {name for name in free if not name.startswith("__")}
    renamed = {name: f"m{number}" for number, name in enumerate(sorted(free), 1)}
    for function in functions:
        function.name = renamed.get(function.name, function.name)
    for node in nodes:
        node.attr = renamed.get(node.attr, node.attr)


def _of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


REWRITINGS: dict[str, Rewriting] = {
    "locals_renamed": locals_renamed,
    "globals_renamed": globals_renamed,
    "parameters_renamed": parameters_renamed,
    "definitions_renamed": definitions_renamed,
    "attributes_renamed": attributes_renamed,
    "methods_renamed": methods_renamed,
}
