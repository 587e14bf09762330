"""Which names a statement binds where it stands."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from inplace_lint.source.depth import bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Names a statement binds where it stands; `import *` gives "*"."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        binder = _BINDERS.get(type(node))
        if binder is not None:
            yield from binder(node)
        if not isinstance(node, _DEFINITIONS):
            stack += reversed(bodies(node))


def walrus_names(statement: ast.stmt) -> Iterator[str]:
    """Targets of `:=`, a function's or class's own body left out (their headers bind outside)."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.NamedExpr):
            yield node.target.id
        inner = getattr(node, "body", ()) if type(node) in _SCOPES else ()
        hidden = {id(child) for child in inner} if isinstance(inner, list) else {id(inner)}
        stack.extend(child for child in ast.iter_child_nodes(node) if id(child) not in hidden)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)


def _bind_definition(node: ast.ClassDef) -> Iterator[str]:
    yield node.name


def _bind_import(node: ast.Import) -> Iterator[str]:
    for alias in node.names:
        yield alias.asname or alias.name.partition(".")[0]


def _bind_import_from(node: ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        yield alias.asname or alias.name


def _bind_assign(node: ast.Assign) -> Iterator[str]:
    for target in node.targets:
        yield from _bind_target(target)


def _bind_aug_assign(node: ast.AugAssign) -> Iterator[str]:
    yield from _bind_target(node.target)


def _bind_ann_assign(node: ast.AnnAssign) -> Iterator[str]:
    if node.value is not None:
        yield from _bind_target(node.target)


def _bind_type_alias(node: ast.AST) -> Iterator[str]:
    yield from _bind_target(node.name)  # type: ignore[attr-defined]  # 3.12


def _bind_for(node: ast.For) -> Iterator[str]:
    yield from _bind_target(node.target)


def _bind_with(node: ast.With) -> Iterator[str]:
    for item in node.items:
        if item.optional_vars is not None:
            yield from _bind_target(item.optional_vars)


def _bind_handler(node: ast.ExceptHandler) -> Iterator[str]:
    if node.name:
        yield node.name


def _bind_case(node: ast.match_case) -> Iterator[str]:
    for part in ast.walk(node.pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if isinstance(name, str):
            yield name


def _bind_target(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _bind_target(element)
    elif isinstance(target, ast.Starred):
        yield from _bind_target(target.value)


def _by_type() -> dict[type[ast.AST], Callable[..., Iterator[str]]]:
    """Node types differ between versions of Python, so they are looked up by name."""
    named: dict[str, Callable[..., Iterator[str]]] = {
        "FunctionDef": _bind_definition,
        "AsyncFunctionDef": _bind_definition,
        "ClassDef": _bind_definition,
        "Import": _bind_import,
        "ImportFrom": _bind_import_from,
        "Assign": _bind_assign,
        "AugAssign": _bind_aug_assign,
        "AnnAssign": _bind_ann_assign,
        "TypeAlias": _bind_type_alias,
        "For": _bind_for,
        "AsyncFor": _bind_for,
        "With": _bind_with,
        "AsyncWith": _bind_with,
        "ExceptHandler": _bind_handler,
        "match_case": _bind_case,
    }
    return {getattr(ast, name): bind for name, bind in named.items() if hasattr(ast, name)}


_BINDERS = _by_type()
