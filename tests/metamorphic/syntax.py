"""What the rewritings share: making nodes, walking statement lists, names and scopes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tests.metamorphic.program import DEFINITIONS, FUNCTIONS, IMPORTS, FunctionNode

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
Statement = TypeVar("Statement", bound=ast.stmt)


def made(text: str, **holes: ast.expr | list[ast.stmt]) -> list[ast.stmt]:
    """New statements from a text; a name that is a hole is replaced by what is given for it."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = 0
    _Filler(holes).visit(tree)
    return tree.body


def expression(text: str, **holes: ast.expr) -> ast.expr:
    """A new expression from a text, with holes."""
    (statement,) = made(text, **holes)
    assert isinstance(statement, ast.Expr)
    return statement.value


class _Filler(ast.NodeTransformer):
    def __init__(self, holes: dict[str, ast.expr | list[ast.stmt]]) -> None:
        self.holes = holes

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        if isinstance(node.value, ast.Name):
            hole = self.holes.get(node.value.id)
            if isinstance(hole, list):
                return hole
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        hole = self.holes.get(node.id)
        if not isinstance(hole, ast.expr):
            return node
        filled = copy.deepcopy(hole)
        if hasattr(filled, "ctx"):
            filled.ctx = node.ctx
        return filled


def at(place: ast.stmt, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The statements, as if they stood where `place` does; what they hold stays."""
    return [ast.copy_location(statement, place) for statement in statements]


def blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    """Every list of statements but those of classes."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            continue
        fields = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
        found += [field for field in fields if isinstance(field, list) and field]
    return found


def each(tree: ast.AST, change: Callable[[ast.stmt], list[ast.stmt]]) -> None:
    """Replace every statement outside class bodies."""
    for block in blocks(tree):
        block[:] = [new for statement in block for new in change(statement)]


def scopes(tree: ast.Module) -> list[Scope]:
    """The module, its functions and the methods of its classes; nothing nested."""
    found: list[Scope] = [tree]
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        found += [f for f in inside if isinstance(f, FUNCTIONS)]
    return found


def is_docstring(statement: ast.stmt) -> bool:
    """A statement that is a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def is_plain(statement: ast.stmt) -> bool:
    """A statement that does something: no definition, import, declaration or docstring."""
    fixed = (*DEFINITIONS, *IMPORTS, ast.Global, ast.Nonlocal)
    return not isinstance(statement, fixed) and not is_docstring(statement)


def walked(
    nodes: ast.AST | Iterable[ast.AST], without: tuple[type, ...] = DEFINITIONS
) -> Iterator[ast.AST]:
    """All nodes below some, nested definitions left out."""
    for node in [nodes] if isinstance(nodes, ast.AST) else nodes:
        if isinstance(node, without):
            continue
        yield node
        yield from walked(ast.iter_child_nodes(node), without)


def names(tree: ast.AST) -> set[str]:
    """Every identifier in a tree, whatever it names."""
    found = set()
    for node in ast.walk(tree):
        for value in vars(node).values():
            found |= {value} if isinstance(value, str) else set()
    return found


def parameters(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    """All parameters, starred ones too."""
    args = function.args
    starred = [arg for arg in (args.vararg, args.kwarg) if arg]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *starred]


class Uses(ast.NodeVisitor):
    """Which names some statements load from around them, and which they bind."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        """Visit all nodes."""
        self.loads: set[str] = set()
        self.stores: set[str] = set()
        for node in nodes:
            self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """A load or a store; `del` counts as both."""
        if not isinstance(node.ctx, ast.Store):
            self.loads.add(node.id)
        if not isinstance(node.ctx, ast.Load):
            self.stores.add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """The target is loaded as well."""
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            self.loads.add(node.target.id)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """It binds the exception."""
        self.generic_visit(node)
        self.stores |= {node.name} if node.name else set()

    def visit_Import(self, node: ast.Import) -> None:
        """It binds the first part of each name."""
        self.stores |= {(a.asname or a.name).partition(".")[0] for a in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """It binds each name."""
        self.stores |= {a.asname or a.name for a in node.names}

    def _inner(self, node: ast.AST, own: set[str], parts: Iterable[ast.AST]) -> None:
        inside = Uses(parts)
        own |= inside.stores if isinstance(node, FUNCTIONS) else set()
        self.loads |= inside.loads - own

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Its parameters are its own."""
        self.visit(node.args)
        self._inner(node, {arg.arg for arg in parameters(node)}, [node.body])

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        """Its locals are its own."""
        self.stores.add(node.name)
        self.visit(node.args)
        self._inner(node, {arg.arg for arg in parameters(node)}, node.body)

    def _comprehension(self, node: ast.AST) -> None:
        inside = Uses(ast.iter_child_nodes(node))
        self.loads |= inside.loads - inside.stores

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def is_called(node: ast.AST, name: str) -> bool:
    """A call of a plain name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def holds(nodes: ast.AST | Iterable[ast.AST], *kinds: type, without: tuple[type, ...] = ()) -> bool:
    """Whether a node of some kinds is among those below."""
    return any(isinstance(node, kinds) for node in walked(nodes, without))


def uses_super(nodes: Iterable[ast.AST]) -> bool:
    """Whether `super()` or `__class__` is used: bound to the method they stand in."""
    return bool({"super", "__class__"} & Uses(nodes).loads)


def single_target(statement: ast.stmt) -> ast.Name | None:
    """The name that a statement `name = ...` binds."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    return target if isinstance(target, ast.Name) else None
