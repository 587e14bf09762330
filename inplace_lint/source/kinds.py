"""What an expression is sure to be, by syntax: a number, a list or dict, a text, or plain data.

count = 0                    a number, and whatever else `count` is bound to
rows = [] ; rows[i] = x      a container
mask = torch.zeros(h, w)     data: tensors made of numbers, which no gradient leads to
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from inplace_lint.source.facts import (
    A_CONTAINER,
    A_SETTING,
    CONTAINERS,
    FUNCTIONS,
    is_own,
    name_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.source.facts import Facts, Suspect

BRACKETED = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Tuple)
COUNTS = frozenset("len int float round ord id".split())
"""Builtins whose result is a number."""
MEASURES = frozenset("size numel dim item count index".split())
"""Methods whose result is a number."""
FOLDS = frozenset(
    "min max sum abs pow divmod range enumerate zip reversed sorted list tuple".split()
)
"""Builtins whose result is a number, or holds numbers, where their arguments are or do."""
COPIES = frozenset("copy deepcopy".split())
SIZES = frozenset("shape ndim".split())
TENSOR_TYPES = ("Tensor", "Parameter", "Variable", "Buffer")
LEARNED = frozenset("Parameter Buffer Variable requires_grad requires_grad_ grad".split())
"""Names by which a tensor comes to have a gradient."""


def is_no_tensor(facts: Facts, suspect: Suspect) -> bool:
    """Whether a write is none to a tensor, or only sets a module's first weights."""
    node, target, value = suspect.node, suspect.target, suspect.value
    if isinstance(node, ast.Call):
        return facts.constructs and _is_initialiser(node.func)
    if isinstance(node, ast.AugAssign):
        if _is_text(value) or isinstance(value, BRACKETED):
            return True
        counted = target.value if isinstance(target, ast.Subscript) else target
        return is_number(facts, counted) or is_container(facts, target)
    if isinstance(node, ast.Subscript) and (_is_text(node.slice) or _is_object(value)):
        return True
    return is_container(facts, target)


def sets_by_hand(facts: Facts, suspect: Suspect) -> bool:
    """Whether a write goes around the graph, which in construction comes before any use."""
    target: ast.expr = suspect.target
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        if isinstance(target, ast.Attribute) and target.attr == "data":
            return facts.constructs
        target = target.value
    return facts.constructs and isinstance(suspect.node, ast.Attribute)


def _is_initialiser(func: ast.expr) -> bool:
    """`nn.init.zeros_`, `init.zeros_`, `trunc_normal_`: called in a constructor."""
    if isinstance(func, ast.Attribute):
        return name_of(func.value) == "init"
    return isinstance(func, ast.Name)


def _is_text(node: ast.expr | None) -> bool:
    """Whether an expression is a text, which no tensor can be added to or indexed with."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and _is_text(node.func.value)
    return isinstance(node, ast.JoinedStr)


def _is_object(value: ast.expr | None) -> bool:
    """Whether a value cannot be written into a tensor: None, an object of a class, a text."""
    if isinstance(value, ast.Call):
        name = name_of(value.func)
        return name[:1].isupper() and not name.endswith(TENSOR_TYPES)
    none = isinstance(value, ast.Constant) and value.value is None
    return none or isinstance(value, (ast.Dict, ast.Lambda)) or _is_text(value)


def is_container(facts: Facts, node: ast.expr) -> bool:
    """Whether what a name or an attribute of `self` is bound to are lists and dicts alone."""
    if isinstance(node, ast.Name) and not (facts.in_function and node.id in facts.bound):
        return node.id in facts.containers
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return True
    return holds_containers(facts, node)


def holds_containers(facts: Facts, node: ast.expr) -> bool:
    """Whether all that is known to be bound to it are lists and dicts."""
    values = facts.values_of(node)
    return bool(values) and all(_makes_container(facts, value, {_key(node)}) for value in values)


def _makes_container(facts: Facts, value: ast.expr | None, asked: set[str]) -> bool:
    if value is A_SETTING:
        return facts.constructs
    if isinstance(value, ast.Name) or (value is not None and is_own(value)):
        if _key(value) in asked:
            return True  # as far as it hangs on itself
        asked.add(_key(value))
        values = facts.values_of(value)
        return bool(values) and all(_makes_container(facts, each, asked) for each in values)
    if isinstance(value, ast.Starred):
        return name_of(value.value) == "param_groups"
    if isinstance(value, ast.Call):
        name = name_of(value.func)
        of = (
            [*value.args, value.func.value] if isinstance(value.func, ast.Attribute) else value.args
        )
        copied = name in COPIES and any(_makes_container(facts, each, asked) for each in of)
        return name in CONTAINERS or name.endswith("_dict") or copied
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Mult, ast.Add)):
        sides = (value.left, value.right)
        return any(_makes_container(facts, each, asked) for each in sides)
    if isinstance(value, ast.IfExp):
        return all(_makes_container(facts, each, asked) for each in (value.body, value.orelse))
    return isinstance(value, BRACKETED)


def _key(node: ast.expr) -> str:
    return f"self.{node.attr}" if isinstance(node, ast.Attribute) else name_of(node)


def is_number(facts: Facts, node: ast.expr | None) -> bool:
    """Whether an expression is a Python number or holds some; of a name, all that it is bound to.

    In construction arguments are taken for settings, and so is what is read from them.
    """
    return facts.in_function and _is_number(facts, node, set())


def _is_number(facts: Facts, node: ast.expr | None, asked: set[str]) -> bool:
    if node is A_SETTING or node is A_CONTAINER:
        return facts.constructs
    if isinstance(node, ast.Name) or (node is not None and is_own(node)):
        return _are_numbers(facts, node, asked)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    if isinstance(node, ast.Call):
        name = name_of(node.func)
        if isinstance(node.func, ast.Attribute):
            return name in MEASURES
        folds = name in FOLDS or (facts.constructs and name[:1].islower())
        return name in COUNTS or (folds and all(_is_number(facts, a, asked) for a in node.args))
    if isinstance(node, ast.Subscript):
        return name_of(node.value) in SIZES or _is_number(facts, node.value, asked)
    if isinstance(node, ast.Attribute):
        return node.attr in SIZES or (facts.constructs and _is_number(facts, node.value, asked))
    parts = _operands(node)
    return bool(parts) and all(_is_number(facts, part, asked) for part in parts)


def _are_numbers(facts: Facts, node: ast.expr, asked: set[str]) -> bool:
    if _key(node) in asked:
        return True  # as far as it hangs on itself
    asked.add(_key(node))
    values = facts.values_of(node)
    return bool(values) and all(_is_number(facts, value, asked) for value in values)


MAKES_MEMORY = frozenset("stack cat tensor zeros ones empty full arange linspace eye".split())
SAME_MEMORY = frozenset(
    "permute contiguous view reshape transpose t flatten float long int to unsqueeze "
    "squeeze".split()
)
"""Calls after which no two elements share memory if none did before."""


def is_whole(facts: Facts, node: ast.expr | None, asked: set[str]) -> bool:
    """Whether each element of a tensor has memory of its own, as in no expanded one."""
    if isinstance(node, ast.Name):
        if node.id in asked:
            return True  # as far as it hangs on itself
        asked.add(node.id)
        values = facts.values_of(node)
        return bool(values) and all(is_whole(facts, value, asked) for value in values)
    if isinstance(node, ast.Call):
        name = name_of(node.func)
        of = node.func.value if isinstance(node.func, ast.Attribute) else None
        return name in MAKES_MEMORY or (name in SAME_MEMORY and is_whole(facts, of, asked))
    if isinstance(node, ast.Subscript):
        return is_whole(facts, node.value, asked)
    return isinstance(node, ast.BinOp)


def writes_data(facts: Facts, suspect: Suspect) -> bool:
    """Whether a write is to data that is made of numbers, with a value of its own."""
    value = suspect.value
    apart = isinstance(value, (ast.BinOp, ast.Constant)) or is_number(facts, value)
    return apart and is_whole(facts, suspect.target, set())


def is_all_data(facts: Facts) -> bool:
    """Whether a function computes with numbers, and tensors made of them, alone."""
    if not facts.in_function:
        return False
    if not all(is_number(facts, ast.Name(name)) for name in facts.params if name != "self"):
        return False
    return all(_is_data(facts, node) for part in facts.body for node in _evaluated(part))


def _evaluated(function: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a function's body, annotations and what is raised left out."""
    stack: list[ast.AST] = list(getattr(function, "body", ()))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (ast.Raise, ast.Assert)):
            continue
        annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
        stack += [child for child in ast.iter_child_nodes(node) if child is not annotation]


def _is_data(facts: Facts, node: ast.AST) -> bool:
    """Whether a node brings in nothing that a gradient may lead to."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
        return False
    if isinstance(node, ast.keyword):
        return node.arg not in LEARNED
    if isinstance(node, ast.Call):
        return not name_of(node.func)[:1].isupper()
    if isinstance(node, ast.Attribute):
        return node.attr not in LEARNED and (not is_own(node) or is_number(facts, node))
    return not isinstance(node, ast.Name) or node.id not in LEARNED


def _operands(node: ast.expr | None) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Starred):
        return [node.value]
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else []
