"""Operators as functions, statements as method calls, methods as functions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tests.metamorphic.program import Program, Rewriting
from tests.metamorphic.syntax import at, each, expression, made

UNARY = frozenset(
    "exp log sqrt sigmoid tanh relu abs sin cos square rsqrt softmax cumsum cumprod detach clone "
    "unsqueeze squeeze transpose matmul bmm mul div pow".split()
)
"""Methods that only tensors have here, with a function of the same name and order in `torch`."""

NOT_OF_TENSORS = frozenset(["requires_grad_", "register_", "__init__"])


class _Each(ast.NodeTransformer):
    """Changes expressions from the inside outwards."""

    def __init__(self, change: Callable[[ast.AST], ast.AST]) -> None:
        self.change = change

    def visit(self, node: ast.AST) -> ast.AST:
        """Children first."""
        self.generic_visit(node)
        return self.change(node)


def expressions(change: Callable[[ast.AST], ast.AST], needs: str = "") -> Rewriting:
    """Change every expression; `needs` is a module that the change imports."""

    def rewrite(program: Program) -> None:
        before = ast.dump(program.tree)
        _Each(change).visit(program.tree)
        if needs and ast.dump(program.tree) != before:
            program.tree.body[:0] = made(f"import {needs}")

    return rewrite


def statements(change: Callable[[ast.stmt], list[ast.stmt]], needs: str = "") -> Rewriting:
    """The same for statements."""

    def rewrite(program: Program) -> None:
        before = ast.dump(program.tree)
        each(program.tree, lambda statement: at(statement, change(statement)))
        if needs and ast.dump(program.tree) != before:
            program.tree.body[:0] = made(f"import {needs}")

    return rewrite


OPERATORS: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
}


def _operator_call(node: ast.AST) -> ast.AST:
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS:
        return node
    name = OPERATORS[type(node.op)]
    return expression(f"operator.{name}(LEFT, RIGHT)", LEFT=node.left, RIGHT=node.right)


def _getitem_call(node: ast.AST) -> ast.AST:
    slices = any(isinstance(n, ast.Slice) for n in ast.walk(node))
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or slices:
        return node
    if isinstance(node.value, ast.Name) and node.value.id[:1].isupper():
        return node
    return expression("operator.getitem(VALUE, KEY)", VALUE=node.value, KEY=node.slice)


def _augmented_call(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.AugAssign) or type(statement.op) not in OPERATORS:
        return [statement]
    text = f"TARGET = operator.i{OPERATORS[type(statement.op)]}(TARGET, VALUE)"
    return made(text, TARGET=statement.target, VALUE=statement.value)


def _augmented_apart(statement: ast.stmt) -> list[ast.stmt]:
    """`a[i] += v` as Python runs it: get, change, set."""
    if not isinstance(statement, ast.AugAssign) or isinstance(statement.target, ast.Name):
        return [statement]
    change = ast.AugAssign(ast.Name("item", ast.Store()), statement.op, statement.value)
    return made("item = TARGET\nCHANGE\nTARGET = item", TARGET=statement.target, CHANGE=[change])


def _setitem_call(text: str) -> Callable[[ast.stmt], list[ast.stmt]]:
    def change(statement: ast.stmt) -> list[ast.stmt]:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return [statement]
        target = statement.targets[0]
        if not isinstance(target, ast.Subscript):
            return [statement]
        if any(isinstance(n, ast.Slice) for n in ast.walk(target.slice)):
            return [statement]
        holes = {"OBJECT": target.value, "KEY": target.slice, "VALUE": statement.value}
        return made(text, **holes)

    return change


def is_write(node: ast.AST) -> bool:
    """A call of a method whose name says that it writes in place."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name, owner = node.func.attr, node.func.value
    is_init = isinstance(owner, ast.Attribute) and owner.attr == "init"
    is_init |= isinstance(owner, ast.Name) and owner.id in ("init", "torch", "F")
    plain = name.endswith("_") and not name.startswith("_") and name not in NOT_OF_TENSORS
    return plain and not is_init


def _write_by_getattr(node: ast.AST) -> ast.AST:
    if is_write(node):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        node.func = expression(f"getattr(OWNER, '{node.func.attr}')", OWNER=node.func.value)
    return node


def _write_unbound(node: ast.AST) -> ast.AST:
    if is_write(node):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        owner, name = node.func.value, node.func.attr
        node.func = expression(f"torch.Tensor.{name}")
        node.args.insert(0, owner)
    return node


def _write_bound(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.Expr) or not is_write(statement.value):
        return [statement]
    call = statement.value
    assert isinstance(call, ast.Call)
    method, call.func = call.func, ast.Name("write", ast.Load())
    return [*made("write = METHOD", METHOD=method), statement]


def _write_kept(statement: ast.stmt) -> list[ast.stmt]:
    """The result of a write is bound to the name that it wrote."""
    if not isinstance(statement, ast.Expr) or not is_write(statement.value):
        return [statement]
    call = statement.value
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    owner = call.func.value
    if not isinstance(owner, ast.Name):
        return [statement]
    return made("TARGET = VALUE", TARGET=owner, VALUE=call)


def _method_as_function(node: ast.AST) -> ast.AST:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return node
    owner, name = node.func.value, node.func.attr
    if name not in UNARY or (
        isinstance(owner, ast.Name) and owner.id in ("torch", "F", "math", "self")
    ):
        return node
    node.func = expression(f"torch.{name}")
    node.args.insert(0, owner)
    return node


def _function_as_method(node: ast.AST) -> ast.AST:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return node
    owner, name = node.func.value, node.func.attr
    is_torch = isinstance(owner, ast.Name) and owner.id == "torch"
    if not is_torch or name not in UNARY or not node.args:
        return node
    node.func = ast.Attribute(node.args.pop(0), name, ast.Load())
    return node


def _starred(node: ast.AST) -> ast.AST:
    if _is_plain_call(node):
        assert isinstance(node, ast.Call)
        node.args = [ast.Starred(ast.List(node.args, ast.Load()), ast.Load())]
    return node


def _partial(node: ast.AST) -> ast.AST:
    if not _is_plain_call(node):
        return node
    assert isinstance(node, ast.Call)
    partial = expression("functools.partial(F, 0)", F=node.func)
    assert isinstance(partial, ast.Call)
    partial.args[1:] = node.args
    return ast.Call(partial, [], node.keywords)


def _is_plain_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not node.args:
        return False
    text = ast.unparse(node.func)
    named = "super" in text or text in ("getattr", "isinstance", "len", "range", "zip", "print")
    return not named and not any(isinstance(arg, ast.Starred) for arg in node.args)


REWRITINGS: dict[str, Rewriting] = {
    "operators_as_functions": expressions(_operator_call, "operator"),
    "subscripts_as_functions": expressions(_getitem_call, "operator"),
    "augmented_as_functions": statements(_augmented_call, "operator"),
    "augmented_in_steps": statements(_augmented_apart),
    "setitem_as_method": statements(_setitem_call("OBJECT.__setitem__(KEY, VALUE)")),
    "setitem_as_function": statements(
        _setitem_call("operator.setitem(OBJECT, KEY, VALUE)"), "operator"
    ),
    "writes_by_getattr": expressions(_write_by_getattr),
    "writes_by_class": expressions(_write_unbound, "torch"),
    "writes_by_bound_method": statements(_write_bound),
    "writes_kept": statements(_write_kept),
    "methods_as_functions": expressions(_method_as_function, "torch"),
    "functions_as_methods": expressions(_function_as_method),
    "arguments_starred": expressions(_starred),
    "calls_by_partial": expressions(_partial, "functools"),
}
