"""Everything that needs libcst below `lower`: parsing, and positions on demand.

Imported lazily, since importing libcst costs more than indexing a file.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from inplace_lint.source.errors import DEPTH, PARSE, SourceError
from inplace_lint.source.index import Piece
from inplace_lint.source.room import with_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from inplace_lint.source.file import SourceFile, Unit

Range = tuple[int, int, int, int]
"""Line (from 1), column (from 0), end line, end column; in code points, the end exclusive."""
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def parse(text: str, first_line: int = 1) -> cst.Module:
    """libcst's module of a text; a SourceError counts its lines from `first_line`.

    Only the exception's fields are read: its str() prints pages.
    """
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        if "too many indentation levels" in error.message:
            raise SourceError("nested too deeply to be parsed", first_line, kind=DEPTH) from None
        line, column = max(error.raw_line, 1), max(error.raw_column, 0)
        raise SourceError("invalid syntax", line + first_line - 1, column + 1) from None
    except (RecursionError, MemoryError):
        raise
    except Exception:  # a node that libcst makes and then finds invalid: a fault of its own
        raise SourceError("not understood by libcst", first_line) from None


def parse_unit(unit: Unit) -> tuple[cst.Module, list[Statement], int]:
    """The module that holds a unit, the unit's statements in it, and the module's first line."""
    if unit.deep:
        raise SourceError("nested too deeply to be parsed", unit.first_line, kind=DEPTH)
    if not isinstance(unit.file.module, cst.Module):
        try:
            module = parse(unit.text, unit.first_line)
            return module, list(module.body), unit.first_line
        except SourceError:
            unit.file.module = unit.file.module or _parse_whole(unit.file)
    whole = unit.file.module
    if not isinstance(whole, cst.Module) or len(whole.body) != len(unit.file.units):
        raise SourceError("not understood by libcst", unit.first_line)
    return whole, [whole.body[unit.index]], 1


def _parse_whole(file: SourceFile) -> cst.Module | str:
    """The module of a file, or why there is none: tried once a file."""
    if any(unit.deep for unit in file.units):
        return "it would kill the parser"
    try:
        return parse(file.text)
    except SourceError as error:
        return error.message


# ---- positions -----------------------------------------------------------------------------


class _Recorder(CodegenState):
    """Generates code only to learn where the wanted nodes come to lie.

    The same positions as libcst's PositionProvider (parentheses and white space around a node are
    left out) at a sixth of its cost, since nodes nobody asked for are not written down.
    """

    def __init__(self, module: cst.Module, wanted: Iterable[cst.CSTNode]) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.line = 1
        self.column = 0
        self.ranges: dict[int, Range] = {}
        self.wanted = {id(node) for node in wanted}

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.column += len(token)

    def add_token(self, value: str) -> None:
        if "\n" in value or "\r" in value:
            parts = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line += len(parts) - 1
            self.column = len(parts[-1])
        else:
            self.column += len(value)

    def pop_trailing_newline(self) -> None:
        """Nothing was kept that could be taken back."""

    def record_syntactic_position(  # type: ignore[override]  # cheaper than a generator's
        self, node: cst.CSTNode, **_ends: cst.CSTNode | None
    ) -> AbstractContextManager[None]:
        return _Mark(self, id(node)) if id(node) in self.wanted else _NOTHING


_NOTHING = nullcontext()


class _Mark(AbstractContextManager[None]):
    """Writes down a node's range when its code has been generated."""

    __slots__ = ("column", "key", "line", "recorder")

    def __init__(self, recorder: _Recorder, key: int) -> None:
        self.recorder = recorder
        self.key = key
        self.line = recorder.line
        self.column = recorder.column

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        state = self.recorder
        state.ranges[self.key] = (self.line, self.column, state.line, state.column)


def positions(module: cst.Module, wanted: Iterable[cst.CSTNode]) -> dict[int, Range]:
    """The ranges of nodes of `module`, by their id."""
    recorder = _Recorder(module, wanted)
    module._codegen(recorder)
    return recorder.ranges


# ---- an index without ast ------------------------------------------------------------------


def index_by_libcst(text: str, refused: SourceError) -> list[Piece]:
    """The pieces of a text that this Python's `ast` refused; raises if libcst refuses it too.

    libcst knows the newest grammar, but has no place (so line 1) for what is no token, and a place
    far off for a bracket never closed; what `ast` says is better there, and on the same line.
    """
    try:
        module = with_room(lambda: parse(text))
    except SourceError as error:
        known = error.line <= refused.line or "never closed" in refused.message
        raise refused if known and error.kind == PARSE else error from None
    return with_room(lambda: _pieces(module))


def _pieces(module: cst.Module) -> list[Piece]:
    heads = [_head(statement) for statement in module.body]
    ranges = positions(module, [*heads, *module.body])
    found = []
    for head, statement in zip(heads, module.body, strict=True):
        first, (_, _, last, column) = ranges[id(head)][0], ranges[id(statement)]
        last -= column == 0  # a block's range ends after its last line end
        kind = _KINDS.get(type(_only(statement)), "statement")
        found.append(Piece(first, last, kind, tuple(dict.fromkeys(_binds(statement)))))
    return found


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
        yield from _imported(node)
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


def _imported(node: Any) -> Iterator[str]:
    if isinstance(node.names, cst.ImportStar):
        yield "*"
        return
    for alias in node.names:
        if alias.asname is not None:
            yield from target_names(alias.asname.name)
        else:
            yield alias.evaluated_name.partition(".")[0]


def target_names(target: Any) -> Iterator[str]:
    """The names in an assignment's target: `a, (b, *c)`."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from target_names(element.value)
