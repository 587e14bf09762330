"""What needs libcst below `lower`: parsing, and positions on demand.

Imported lazily, since importing libcst costs more than indexing a file.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from inplace_lint.source.errors import DEPTH, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from inplace_lint.source.file import SourceFile, Unit

Range = tuple[int, int, int, int]
"""Line (from 1), column (from 0), end line, end column; in code points, the end exclusive."""
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def parse(text: str, first_line: int = 1, checked: bool = False) -> cst.Module:
    """libcst's module of a text; a SourceError counts its lines from `first_line`.

    `checked`: nodes are checked, too, for what the grammar lets pass (`"a" b"b"`); what `ast` has
    read needs none of that.

    Only the exception's fields are read: its str() prints pages.
    """
    try:
        with nullcontext() if checked else _Trusted():
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


class _Trusted(AbstractContextManager[None]):
    """What the parser makes is valid by its grammar: the checks of nodes made by hand, a sixth of
    the parse, are left out meanwhile.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        cst.CSTNode.__post_init__ = _unchecked  # type: ignore[method-assign, assignment]

    def __exit__(self, *_: object) -> None:
        cst.CSTNode.__post_init__ = _CHECKED  # type: ignore[method-assign]


_CHECKED = cst.CSTNode.__post_init__


def _unchecked(node: cst.CSTNode) -> None:
    """The node as the parser made it."""


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


def target_names(target: Any) -> Iterator[str]:
    """The names in an assignment's target: `a, (b, *c)`."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from target_names(element.value)
