"""The same names, imported in another way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.metamorphic.program import FUNCTIONS, IMPORTS, Program, Rewriting
from tests.metamorphic.syntax import Uses, expression, made, names


def torch_renamed(program: Program) -> None:
    """`import torch as pt`."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                alias.asname = alias.asname or ("pt" if alias.name == "torch" else None)
        if isinstance(node, ast.Name) and node.id == "torch":
            node.id = "pt"
    dotted = [a for n in program.tree.body if isinstance(n, ast.Import) for a in n.names]
    if any(alias.name.startswith("torch.") and not alias.asname for alias in dotted):
        program.tree.body[:0] = made("import torch as pt")


def _modules(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.alias, str]]:
    """Imported modules of torch that have a short name: statement, alias, full path."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((node, a, a.name) for a in node.names if a.asname)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch"):
            paths = ((a, f"{node.module}.{a.name}") for a in node.names)
            yield from ((node, alias, path) for alias, path in paths if alias.name.islower())


class _Names(ast.NodeTransformer):
    def __init__(self, paths: dict[str, str]) -> None:
        self.paths = paths

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return expression(self.paths[node.id]) if node.id in self.paths else node


def full_paths(program: Program) -> None:
    """No short names: `torch.nn.functional.relu`."""
    paths = {}
    modules = ("torch.nn", "torch.nn.functional", "torch.optim", "torch.autograd")
    for statement, alias, path in _modules(program.tree):
        if path in modules:
            paths[alias.asname or alias.name] = path
            assert isinstance(statement, IMPORTS)
            statement.names = [a for a in statement.names if a is not alias]
    if paths:
        body = [s for s in program.tree.body if not isinstance(s, IMPORTS) or s.names]
        program.tree.body = [*made("import torch"), *body]
        program.tree.body[1:1] = made("\n".join(f"import {path}" for path in paths.values()))
        _Names(paths).visit(program.tree)


def _members(program: Program, bound: dict[str, str]) -> dict[str, str]:
    """`nn.Linear` and its like: the plain name to take, by the text of the attribute."""
    taken = names(program.tree) | program.kept
    counted = [
        n
        for n in ast.walk(program.tree)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in bound
    ]
    used = {(node.value.id, node.attr) for node in counted if isinstance(node.value, ast.Name)}
    attributes = {n.attr for n in ast.walk(program.tree) if isinstance(n, ast.Attribute)}
    free = taken - attributes
    return {f"{owner}.{name}": name for owner, name in sorted(used) if name not in free}


class _Attributes(ast.NodeTransformer):
    def __init__(self, members: dict[str, str]) -> None:
        self.members = members

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        plain = isinstance(node.value, ast.Name)
        name = self.members.get(ast.unparse(node)) if plain else None
        return ast.Name(name, ast.Load()) if name else node


def _bound_modules(program: Program) -> dict[str, str]:
    known = {"nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim"}
    imported = {alias.asname or alias.name for _, alias, _ in _modules(program.tree)}
    return {name: path for name, path in known.items() if name in imported}


def members_imported(program: Program) -> None:
    """`from torch.nn import Linear`."""
    bound = _bound_modules(program)
    members = _members(program, bound)
    lines = [
        f"from {bound[owner]} import {name}"
        for owner, name in (text.split(".") for text in members)
    ]
    _Attributes(members).visit(program.tree)
    if lines:
        _after_imports(program.tree, made("\n".join(lines)))


def members_assigned(program: Program) -> None:
    """`Linear = nn.Linear` at the top."""
    members = _members(program, _bound_modules(program))
    _Attributes(members).visit(program.tree)
    if members:
        lines = [f"{name} = {text}" for text, name in members.items()]
        _after_imports(program.tree, made("\n".join(lines)))


def _after_imports(tree: ast.Module, statements: list[ast.stmt]) -> None:
    last = max(n for n, s in enumerate(tree.body) if isinstance(s, IMPORTS))
    tree.body[last + 1 : last + 1] = statements


def imported_where_used(program: Program) -> None:
    """Each function imports what it uses; the file keeps its imports for the rest."""
    imports = [s for s in program.tree.body if isinstance(s, IMPORTS)]
    for node in ast.walk(program.tree):
        if not isinstance(node, FUNCTIONS):
            continue
        uses = Uses(node.body)
        wanted = [s for s in imports if Uses([s]).stores & uses.loads]
        node.body[:0] = made("\n".join(ast.unparse(s) for s in wanted))


def imports_guarded(program: Program) -> None:
    """An import that may fail."""
    body: list[ast.stmt] = []
    for statement in program.tree.body:
        if isinstance(statement, IMPORTS) and getattr(statement, "module", "") != "__future__":
            bound = sorted(Uses([statement]).stores)
            missing = made("\n".join(f"{name} = None" for name in bound))
            text = "try:\n    IMPORT\nexcept ImportError:\n    MISSING"
            body += made(text, IMPORT=[statement], MISSING=missing)
        else:
            body.append(statement)
    program.tree.body = body


REWRITINGS: dict[str, Rewriting] = {
    "torch_renamed": torch_renamed,
    "full_paths": full_paths,
    "members_imported": members_imported,
    "members_assigned": members_assigned,
    "imported_where_used": imported_where_used,
    "imports_guarded": imports_guarded,
}
