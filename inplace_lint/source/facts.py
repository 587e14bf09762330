"""What the statements of a function say by their syntax: what names are bound to, what is written.

Told by `ast`, in one walk over the statements; expressions are only looked into where something is
called whose name ends in an underscore.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from inplace_lint.source.depth import bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NUMBERS = frozenset("int float bool str device dtype Device Dtype".split())
CONTAINERS = frozenset(
    "dict list set tuple defaultdict OrderedDict Counter deque Dict List Set Tuple Sequence "
    "Mapping MutableMapping Iterable".split()
)
"""Calls that make a list or dict, and annotations that name one."""
WRAPPERS = frozenset("Optional Union Final Annotated".split())
FLAGS = frozenset("requires_grad_ share_memory_".split())
"""Methods named as writes that write nothing."""
UNDERSCORED = re.compile(r"[^\W_]_\(")

A_NUMBER = ast.Constant(0)
NUMBERS_IN_A_ROW = ast.List(elts=[A_NUMBER])
A_CONTAINER = ast.Dict(keys=[], values=[])
A_SETTING = ast.Constant(...)
"""An argument of which nothing is known but that it is not annotated as a tensor."""


@dataclass(slots=True)
class Imported:
    """A name bound by an import: `name` of `module`, or the module itself if that is "".

    `import a.b` binds `a` and has the module a.b.
    """

    bound: str
    module: str
    level: int
    name: str = ""


@dataclass(slots=True, eq=False)
class Suspect:
    """A write to judge: the node that writes, what it writes to, what it writes, its statement."""

    node: ast.expr | ast.stmt
    target: ast.expr
    value: ast.expr | None
    statement: ast.stmt


Bound = dict[str, list[tuple["ast.expr | None", ast.stmt]]]


@dataclass(slots=True)
class Facts:
    """The facts of one function, or of statements that are in none; `bound` to None if unknown."""

    body: list[ast.stmt]
    containers: frozenset[str]
    """the module's own lists and dicts"""
    attributes: Bound = field(default_factory=dict)
    """what the class's own attributes are bound to, in all its methods"""
    constructs: bool = False
    """whether it is asked about construction, in which arguments are settings"""
    bound: Bound = field(default_factory=dict)
    suspects: list[Suspect] = field(default_factory=list)
    params: list[str] = field(default_factory=list)
    tensors: bool = False
    imports: list[Imported] = field(default_factory=list)
    spans: list[ast.stmt] = field(default_factory=list)
    """loops and nested functions: what in them may run more than once"""

    def bind(self, target: ast.expr, value: ast.expr | None, statement: ast.stmt) -> None:
        """Note what a target is bound to."""
        if isinstance(target, ast.Name):
            self.bound.setdefault(target.id, []).append((value, statement))
        elif isinstance(target, ast.Attribute):
            self._bind_attribute(target, value, statement)
        elif isinstance(target, ast.Subscript):
            self.suspects.append(Suspect(target, target.value, value, statement))
        elif isinstance(target, ast.Starred):
            self.bind(target.value, None, statement)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = getattr(value, "elts", ())
            known = len(values) == len(target.elts)
            for position, element in enumerate(target.elts):
                self.bind(element, values[position] if known else None, statement)

    def _bind_attribute(
        self, target: ast.Attribute, value: ast.expr | None, statement: ast.stmt
    ) -> None:
        """`self.x = v` says what `self.x` is; `y.data = v` is a write."""
        if is_own(target):
            self.attributes.setdefault(target.attr, []).append((value, statement))
        elif target.attr in {"data", "real", "imag"}:
            self.suspects.append(Suspect(target, target.value, value, statement))

    def values_of(self, node: ast.expr) -> list[ast.expr | None]:
        """All that a name or an attribute of `self` is bound to; nothing if that is not known."""
        if isinstance(node, ast.Name):
            pairs = self.bound.get(node.id, ())
        else:
            pairs = self.attributes.get(node.attr, ()) if is_own(node) else ()
        if all(isinstance(statement, ast.AugAssign) for _, statement in pairs):
            return []  # it begins elsewhere
        return [value for value, _ in pairs]

    @property
    def in_function(self) -> bool:
        """Whether its names are a function's own; others may be bound anywhere."""
        return bool(self.body) and isinstance(self.body[0], FUNCTIONS)


def is_own(node: ast.expr) -> TypeGuard[ast.Attribute]:
    """`self.x`"""
    return isinstance(node, ast.Attribute) and name_of(node.value) == "self"


class Marks:
    """The lines of a text on which something is called whose name ends in an underscore."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [
            number
            for number, line in enumerate(lines, 1)
            if "_(" in line and UNDERSCORED.search(line)
        ]

    def between(self, first: int, last: int) -> bool:
        """Whether one of them is in a range of lines."""
        position = bisect_left(self._lines, first)
        return position < len(self._lines) and self._lines[position] <= last


def collect(facts: Facts, marks: Marks) -> None:
    """Note the facts of the body's statements and of all that are nested in them."""
    stack: list[tuple[ast.AST, bool]] = [(each, False) for each in reversed(facts.body)]
    marked = any(marks.between(first_line(each), each.end_lineno or 0) for each in facts.body)
    while stack:
        statement, asked = stack.pop()
        inner = bodies(statement)
        wanted = _wanted(statement)
        stack += [(each, asked or each in wanted) for each in reversed(inner)]
        before = len(facts.suspects)
        note = COLLECTORS.get(type(statement))
        if note is not None:
            note(facts, statement)
        if asked:
            del facts.suspects[before:]
        elif marked and isinstance(statement, ast.stmt):
            last = inner[0] if inner else statement
            end = getattr(last, "lineno" if inner else "end_lineno", statement.lineno)
            if marks.between(first_line(statement), end):
                facts.suspects += _calls(statement)


def _wanted(statement: ast.AST) -> Sequence[ast.stmt]:
    """What only happens `if inplace:`."""
    asked = isinstance(statement, ast.If) and _asks_for_it(statement.test)
    return statement.body if asked else ()  # type: ignore[attr-defined]


def first_line(statement: ast.stmt) -> int:
    """Its line, or that of its first decorator."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return (
        min([statement.lineno, *[d.lineno for d in decorators]]) if decorators else statement.lineno
    )


def _calls(statement: ast.stmt) -> Iterator[Suspect]:
    """Calls of `name_` in a statement's own expressions."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call) and _writes_by_name(name_of(node.func)):
            receiver = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            yield Suspect(node, receiver, None, statement)
        stack += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (ast.stmt, ast.excepthandler))
            and not (isinstance(node, ast.IfExp) and child is node.body and _asks_for_it(node.test))
        ]


def _asks_for_it(test: ast.expr) -> bool:
    """`inplace`, `self.inplace`, and these with other conditions."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(_asks_for_it, test.values))
    return name_of(test) == "inplace"


def _writes_by_name(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name not in FLAGS


def name_of(node: ast.expr) -> str:
    """The last name of `a.b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


# ---- by kind of statement ------------------------------------------------------------------


def _assign(facts: Facts, node: ast.Assign) -> None:
    for target in node.targets:
        facts.bind(target, node.value, node)


def _ann_assign(facts: Facts, node: ast.AnnAssign) -> None:
    if node.value is not None:
        told = _told(node.annotation)
        facts.bind(node.target, node.value if told is A_SETTING else told, node)


def _aug_assign(facts: Facts, node: ast.AugAssign) -> None:
    facts.suspects.append(Suspect(node, node.target, node.value, node))
    if isinstance(node.target, ast.Name) or is_own(node.target):
        facts.bind(node.target, node.value, node)


def _loop(facts: Facts, node: ast.For) -> None:
    """A target is bound to what the iterable holds: `*iterable`."""
    facts.spans.append(node)
    stack: list[ast.expr] = [node.target]
    while stack:
        target = stack.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            stack += target.elts
        else:
            facts.bind(target, ast.Starred(node.iter), node)


def _while(facts: Facts, node: ast.While) -> None:
    facts.spans.append(node)


def _with(facts: Facts, node: ast.With) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            facts.bind(item.optional_vars, None, node)


def _declare(facts: Facts, node: ast.Global) -> None:
    for name in node.names:
        facts.bind(ast.Name(name), None, node)


def _function(facts: Facts, node: ast.FunctionDef) -> None:
    if node not in facts.body:
        facts.spans.append(node)
    args = node.args
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        told = _told(arg.annotation) if arg.annotation is not None else A_SETTING
        tensor = _mentions_tensor(arg.annotation)
        facts.params.append(arg.arg)
        facts.tensors = facts.tensors or tensor
        facts.bind(ast.Name(arg.arg), None if tensor and told is A_SETTING else told, node)
    for rest in (args.vararg, args.kwarg):
        if rest is not None:
            facts.bind(ast.Name(rest.arg), A_CONTAINER, node)


def _mentions_tensor(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant):
        return isinstance(annotation.value, str) and "Tensor" in annotation.value
    return annotation is not None and any(
        "Tensor" in name_of(node) for node in ast.walk(annotation) if isinstance(node, ast.expr)
    )


def _told(annotation: ast.expr) -> ast.expr:
    """What an annotation says of a value that is no tensor."""
    if isinstance(annotation, ast.BinOp):  # int | None
        return _either([annotation.left, annotation.right])
    if isinstance(annotation, ast.Subscript):
        inner = annotation.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        name = name_of(annotation.value)
        if name in WRAPPERS:
            return _either(parts)
        if name not in CONTAINERS:
            return A_SETTING
        rest = [each for each in parts if not isinstance(each, ast.Constant)]
        numbers = all(_told(each) in {A_NUMBER, NUMBERS_IN_A_ROW} for each in rest)
        return NUMBERS_IN_A_ROW if numbers else A_CONTAINER
    name = name_of(annotation)
    if name in NUMBERS:
        return A_NUMBER
    return A_CONTAINER if name in CONTAINERS else A_SETTING


def _either(parts: list[ast.expr]) -> ast.expr:
    """What all of several annotations say, None apart."""
    told = {_told(each) for each in parts if not isinstance(each, ast.Constant)}
    if told == {A_NUMBER, NUMBERS_IN_A_ROW}:
        return NUMBERS_IN_A_ROW
    return told.pop() if len(told) == 1 else A_SETTING


def _import(facts: Facts, node: ast.Import) -> None:
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        facts.imports.append(Imported(bound, alias.name, 0))
        facts.bind(ast.Name(bound), None, node)


def _import_from(facts: Facts, node: ast.ImportFrom) -> None:
    for alias in node.names:
        bound = alias.asname or alias.name
        facts.imports.append(Imported(bound, node.module or "", node.level, alias.name))
        facts.bind(ast.Name(bound), None, node)


COLLECTORS: dict[type[ast.AST], Callable[..., None]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Global: _declare,
    ast.Nonlocal: _declare,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
