"""Everything a function or the script does stands inside something that changes nothing."""

from __future__ import annotations

import ast
from itertools import groupby
from typing import TypeGuard

from tests.metamorphic.program import SIMPLE, Program, Rewriting
from tests.metamorphic.syntax import each, is_docstring, is_plain, made, scopes

WRAPPERS = {
    "if_true": "if True:\n    BODY",
    "one_round": "for _round in range(1):\n    BODY",
    "while_true": "while True:\n    BODY\n    break",
    "try_finally": "try:\n    BODY\nfinally:\n    pass",
    "try_reraise": "try:\n    BODY\nexcept Exception:\n    raise",
    "try_other_error": "try:\n    BODY\nexcept KeyError as error:\n    print(error)",
    "null_context": "with contextlib.nullcontext():\n    BODY",
    "match": "match 1:\n    case _:\n        BODY",
    "else_branch": "if False:\n    pass\nelse:\n    BODY",
    "main_guard": "if __name__:\n    BODY",
}
IMPORT_CONTEXTLIB = "import contextlib"


def bodies(wrapper: str) -> Rewriting:
    """Wrap the body of every function and of the script."""

    def rewrite(program: Program) -> None:
        for scope in scopes(program.tree):
            runs = [(plain, [*run]) for plain, run in groupby(scope.body, is_plain)]
            wrapped = [made(wrapper, BODY=run) if plain else run for plain, run in runs]
            scope.body = [statement for run in wrapped for statement in run]
        _import(program, wrapper)

    return rewrite


def statements(wrapper: str) -> Rewriting:
    """Wrap each simple statement by itself."""

    def wrap(statement: ast.stmt) -> list[ast.stmt]:
        if not isinstance(statement, SIMPLE) or is_docstring(statement):
            return [statement]
        return made(wrapper, BODY=[statement])

    def rewrite(program: Program) -> None:
        each(program.tree, wrap)
        _import(program, wrapper)

    return rewrite


def _import(program: Program, wrapper: str) -> None:
    if "contextlib" in wrapper:
        program.tree.body[:0] = made(IMPORT_CONTEXTLIB)


def script_in_main(program: Program) -> None:
    """A script's statements become `main()`, called under the usual guard."""
    moved = [s for s in program.tree.body if is_plain(s)]
    rest = [s for s in program.tree.body if not is_plain(s)]
    bound = {n.id for s in moved for n in ast.walk(s) if _is_stored(n)}
    used = {n.id for s in rest for n in ast.walk(s) if isinstance(n, ast.Name)}
    own = {s.name for s in rest if isinstance(s, ast.FunctionDef)}
    if moved and "main" not in own and not bound & (used | program.kept):
        program.tree.body = [*rest, *made(MAIN, BODY=moved)]


MAIN = "def main():\n    BODY\n\nif __name__ == '__main__':\n    main()"


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


REWRITINGS: dict[str, Rewriting] = {
    **{f"bodies_in_{name}": bodies(text) for name, text in WRAPPERS.items()},
    **{
        f"statements_in_{name}": statements(WRAPPERS[name])
        for name in ("if_true", "one_round", "try_finally", "null_context")
    },
    "script_in_main": script_in_main,
}
