"""The index of a text that the running Python's `ast` can't read, by libcst.

The same pieces and parts as `index` and `parts` tell, but that a part is taken for one that writes:
what the writes do is told from `ast` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst.helpers import get_full_name_for_node

from inplace_lint.source.cst import parse, positions, target_names
from inplace_lint.source.errors import PARSE, SourceError
from inplace_lint.source.facts import Imported
from inplace_lint.source.index import Piece
from inplace_lint.source.parts import INITIALISES, Part
from inplace_lint.source.room import with_room

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def index_by_libcst(text: str, refused: SourceError) -> list[Piece]:
    """The pieces of a text that this Python's `ast` refused; raises if libcst refuses it too.

    libcst knows the newest grammar, but has no place (so line 1) for what is no token, and a place
    far off for a bracket never closed; what `ast` says is better there, and on the same line.
    """
    try:
        module = with_room(lambda: parse(text, checked=True))
    except SourceError as error:
        known = error.line <= refused.line or "never closed" in refused.message
        raise refused if known and error.kind == PARSE else error from None
    return with_room(lambda: _pieces(module))


def _pieces(module: cst.Module) -> list[Piece]:
    methods = [method for statement in module.body for method in _methods(statement)]
    places = _places(module, [*module.body, *methods])
    found = []
    for statement in module.body:
        kind = _KINDS.get(type(_only(statement)), "statement")
        names = tuple(dict.fromkeys(_binds(statement)))
        parts = _parts(statement, places)
        found.append(Piece(*places[id(statement)], kind, names, parts=parts))
    return found


def _places(module: cst.Module, statements: Sequence[cst.CSTNode]) -> dict[int, tuple[int, int]]:
    """The first and last lines of statements by their id, decorators included."""
    heads = [_head(statement) for statement in statements]
    ranges = positions(module, [*heads, *statements])
    places = {}
    for head, statement in zip(heads, statements, strict=True):
        _, _, last, column = ranges[id(statement)]
        # a block's range ends after its last line end
        places[id(statement)] = (ranges[id(head)][0], last - (column == 0))
    return places


# ---- parts -----------------------------------------------------------------------------------


def _methods(statement: cst.CSTNode) -> list[cst.FunctionDef]:
    if not isinstance(statement, cst.ClassDef):
        return []
    return [inner for inner in statement.body.body if isinstance(inner, cst.FunctionDef)]


def _parts(statement: cst.CSTNode, places: dict[int, tuple[int, int]]) -> list[Part]:
    """The parts of a statement, as `parts.parts_of` tells them; all of them may write."""
    methods = _methods(statement)
    if not isinstance(statement, cst.ClassDef):
        name = statement.name.value if isinstance(statement, cst.FunctionDef) else ""
        small = statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
        return [_part(name, (places[id(statement)],), [each]) for each in small]
    others = [inner for inner in statement.body.body if inner not in methods]
    first, last = places[id(statement)]
    rest, found = [], []
    for method in methods:
        start, end = places[id(method)]
        rest.append((first, start - 1))
        first = end + 1
        found.append(_part(method.name.value, ((start, end),), [method]))
    lines = tuple(span for span in (*rest, (first, last)) if span[0] <= span[1])
    return [_part("", lines, others), *found]


def _part(name: str, lines: tuple[tuple[int, int], ...], nodes: Sequence[cst.CSTNode]) -> Part:
    quiet = INITIALISES.search(name) is not None
    params: list[cst.Param] = []
    imports: list[Imported] = []
    for node in nodes:
        _collect(node, params, imports)
    names = tuple(param.name.value for param in params)
    tensors = any(map(_mentions_tensor, params))
    return Part(name, lines, not quiet, not quiet, quiet, names, tensors, tuple(imports))


def _collect(node: cst.CSTNode, params: list[cst.Param], imports: list[Imported]) -> None:
    if isinstance(node, cst.FunctionDef):
        own = node.params
        params += [*own.posonly_params, *own.params, *own.kwonly_params]
    elif type(node) in _IMPORTS:
        imports += _imports(node)
    for child in node.children:
        _collect(child, params, imports)


def _mentions_tensor(param: cst.Param) -> bool:
    pending: list[cst.CSTNode] = [] if param.annotation is None else [param.annotation]
    while pending:
        node = pending.pop()
        if "Tensor" in str(getattr(node, "value", "")) and not node.children:
            return True
        pending += node.children
    return False


def _imports(node: Any) -> Iterator[Imported]:
    module, level = "", 0
    if hasattr(node, "relative"):
        level = len(node.relative)
        module = "" if node.module is None else get_full_name_for_node(node.module) or ""
    if isinstance(node.names, cst.ImportStar):
        yield Imported("*", module, level, "*")
        return
    for alias in node.names:
        if hasattr(node, "relative"):
            yield Imported(_bound(alias), module, level, alias.evaluated_name)
        else:
            yield Imported(_bound(alias), alias.evaluated_name, 0)


# ---- names -----------------------------------------------------------------------------------


def _head(statement: cst.CSTNode) -> cst.CSTNode:
    decorators = getattr(statement, "decorators", ())
    return decorators[0] if decorators else statement


def _only(statement: cst.CSTNode) -> cst.CSTNode:
    """The small statement of a line that holds one; else the statement itself."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return statement


_IMPORTS = {
    getattr(cst, name)
    for name in ("Import", "ImportFrom", "LazyImport", "LazyImportFrom")
    if hasattr(cst, name)
}
_KINDS: dict[type[cst.CSTNode], str] = {
    cst.FunctionDef: "def",
    cst.ClassDef: "class",
    **dict.fromkeys(_IMPORTS, "import"),
}
_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)
_TARGET_OWNERS = (
    cst.AssignTarget,
    cst.AugAssign,
    cst.AnnAssign,
    cst.For,
    cst.NamedExpr,
)


def _binds(node: cst.CSTNode) -> Iterator[str]:
    """Names bound in a statement; slow (it walks everything), which rare files can afford."""
    if isinstance(node, _DEFINITIONS):
        yield node.name.value
        return
    if type(node) in _IMPORTS:
        yield from (imported.bound for imported in _imports(node))
        return
    if isinstance(node, cst.AnnAssign) and node.value is None:
        return
    if isinstance(node, _TARGET_OWNERS):
        yield from target_names(node.target)
    elif isinstance(node, (cst.AsName, cst.TypeAlias, cst.MatchAs, cst.MatchStar)) and node.name:
        yield from target_names(node.name)
    elif isinstance(node, cst.MatchMapping) and node.rest:
        yield from target_names(node.rest)
    for child in node.children:
        if not isinstance(child, cst.Lambda):
            yield from _binds(child)


def _bound(alias: cst.ImportAlias) -> str:
    return alias.evaluated_alias or alias.evaluated_name.partition(".")[0]
