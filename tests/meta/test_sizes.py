"""The limits that keep the code readable: lines, nesting, parameters, docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("inplace_lint", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if ROOT / "tests" / "corpus" not in path.parent.parents
)
MOST_LINES, USUAL_LINES, USUAL_SHARE = 60, 25, 0.9
FILE_LINES, DEPTH, PARAMETERS = 600, 3, 5

NESTS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
NESTS += (ast.TryStar,) if hasattr(ast, "TryStar") else ()
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Measured:
    """One function or method: where it stands and how big it is."""

    place: str
    lines: int
    depth: int
    parameters: int


def depth(node: ast.AST) -> int:
    """How deep compound statements nest below `node`; an elif is as deep as its if."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            continue
        elif_branch = isinstance(node, ast.If) and node.orelse == [child]
        own = isinstance(child, NESTS) and not (elif_branch and isinstance(child, ast.If))
        deepest = max(deepest, own + depth(child))
    return deepest


def measure(path: Path) -> Iterator[Measured]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        args = node.args
        names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        variadic = [a for a in (args.vararg, args.kwarg) if a]
        parameters = len([n for n in names if n not in ("self", "cls")]) + len(variadic)
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        place = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        yield Measured(place, lines, depth(node), parameters)


@pytest.fixture(scope="module")
def functions() -> list[Measured]:
    return [function for path in FILES for function in measure(path)]


def none_of(offenders: Iterable[object]) -> None:
    """Fail with a line for each."""
    lines = [str(offender) for offender in offenders]
    assert not lines, "\n".join(lines)


def test_measuring_measures() -> None:
    source = """
def f(self, a, *b, c=1, **d):
    if a:
        pass
    elif b:
        for x in a:
            with x:
                pass
    else:
        try:
            pass
        except E:
            while True:
                if x:
                    pass
"""
    function = ast.parse(source).body[0]
    assert depth(function) == 4
    outer = ast.parse("def f():\n    if a:\n        def g():\n            if b: pass").body[0]
    assert depth(outer) == 1


def test_no_function_is_long(functions: list[Measured]) -> None:
    none_of(f for f in functions if f.lines > MOST_LINES)


def test_most_functions_are_short(functions: list[Measured]) -> None:
    short = [f for f in functions if f.lines <= USUAL_LINES]
    assert len(short) / len(functions) >= USUAL_SHARE


def test_nothing_nests_deep(functions: list[Measured]) -> None:
    none_of(f for f in functions if f.depth > DEPTH)


def test_nothing_takes_many_parameters(functions: list[Measured]) -> None:
    none_of(f for f in functions if f.parameters > PARAMETERS)


def test_no_file_is_long() -> None:
    none_of(path for path in FILES if path.read_text(encoding="utf-8").count("\n") > FILE_LINES)


@pytest.mark.parametrize("kind", [ast.Module, ast.ClassDef])
def test_modules_and_classes_have_docstrings(kind: type[ast.Module | ast.ClassDef]) -> None:
    package = [path for path in FILES if ROOT / "inplace_lint" in path.parents]
    none_of(
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
        for path in package
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kind) and ast.get_docstring(node) is None
    )
