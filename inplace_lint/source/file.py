"""`SourceFile` and its units."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.source.chunks import index_by_chunks
from inplace_lint.source.decode import decode, read_bytes
from inplace_lint.source.depth import text_too_deep
from inplace_lint.source.errors import DEPTH, SourceError
from inplace_lint.source.index import Piece, index_by_ast, refusal
from inplace_lint.source.lines import split
from inplace_lint.source.mentions import mentions
from inplace_lint.source.plain import WORD, plain
from inplace_lint.source.room import with_room

if TYPE_CHECKING:
    from inplace_lint.ir.function import Function
    from inplace_lint.source.parts import Part


@dataclass(slots=True, eq=False)
class Unit:
    """One top-level statement of a file, or several that share lines.

    `kind` is "def", "class", "import" or "statement"; `binds` are the module-level names it binds
    ("*" for a star import); its lines are 1-based and inclusive and begin with the decorators.
    `deep` marks a unit too nested to be parsed: lowering it raises. `lowered` and `spans` belong
    to `lower`, `nodes` to `harness.gate`: they keep their results there.
    """

    file: SourceFile
    index: int
    first_line: int
    last_line: int
    kind: str
    binds: tuple[str, ...]
    deep: bool = False
    parts: list[Part] | None = None
    lowered: Function | SourceError | None = None
    nodes: Any = None
    spans: list[tuple[int, int, int, int]] | None = None
    _words: frozenset[str] | None = None
    _used: frozenset[str] | None = None
    _mentions: frozenset[str] | None = None

    @property
    def text(self) -> str:
        """Its lines, line ends included."""
        starts = self.file.starts
        return self.file.text[starts[self.first_line - 1] : starts[self.last_line]]

    @property
    def words(self) -> frozenset[str]:
        """Every identifier-like word of the text, comments and strings included."""
        if self._words is None:
            self._words = frozenset(WORD.findall(self.text))
        return self._words

    @property
    def used(self) -> frozenset[str]:
        """The same without comments and strings: more than its code uses, never less."""
        if self._used is None:
            self._used = frozenset(WORD.findall(plain(self.text)))
        return self._used

    @property
    def mentions(self) -> frozenset[str] | None:
        """The identifiers of its code, by `ast`; None where that does not read it."""
        if self._mentions is None:
            self._mentions = mentions(self.text)
        return self._mentions

    def text_of(self, part: Part) -> str:
        """The lines of one of its parts."""
        starts, text = self.file.starts, self.file.text
        return "".join([text[starts[first - 1] : starts[last]] for first, last in part.lines])


@dataclass(slots=True, eq=False)
class SourceFile:
    """A file's text and units; with `error` set it has no units.

    `path` is what the user is shown, `file` where it lies on disk (None for a text from elsewhere).
    `lines` are split where Python splits them (never str.splitlines), `starts` are their offsets in
    `text`, and the text's length. `bindings` says which units bind a module-level name.
    """

    path: str
    file: Path | None
    text: str
    error: SourceError | None = None
    lines: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    bindings: dict[str, list[Unit]] = field(default_factory=dict)
    module: object = None
    """libcst's tree of the whole file, only where its units don't parse alone; text: why not."""
    _mentions: dict[str, list[Unit]] | None = None

    def __post_init__(self) -> None:
        """Split and index the text."""
        self.lines, self.starts = split(self.text)
        if self.error is None:
            try:
                self._add_units(_index(self.text))
            except SourceError as error:
                self.error = error

    def mentioning(self, name: str) -> list[Unit]:
        """The units whose text holds a word."""
        if self._mentions is None:
            self._mentions = {}
            for unit in self.units:
                for word in unit.words:
                    self._mentions.setdefault(word, []).append(unit)
        return self._mentions.get(name, [])

    def _add_units(self, pieces: list[Piece]) -> None:
        for index, piece in enumerate(pieces):
            unit = Unit(
                self,
                index,
                piece.first_line,
                piece.last_line,
                piece.kind,
                piece.binds,
                piece.deep,
                piece.parts,
            )
            self.units.append(unit)
            for name in piece.binds:
                self.bindings.setdefault(name, []).append(unit)


def _index(text: str) -> list[Piece]:
    """The pieces of a file; of one that is too deep, those that are not."""
    try:
        return _index_whole(text)
    except SourceError as error:
        if error.kind != DEPTH:
            raise
    return index_by_chunks(text, _index_whole)


def _index_whole(text: str) -> list[Piece]:
    """By `ast`; by libcst where the text may be of a newer grammar than the running Python's."""
    try:
        return with_room(lambda: index_by_ast(text))
    except SyntaxError as error:
        refused = refusal(error)
    if "\0" in text:
        raise refused
    if text_too_deep(text):
        raise SourceError("nested too deeply to be parsed", kind=DEPTH)
    from inplace_lint.source.newer import index_by_libcst

    return index_by_libcst(text, refused)


def from_text(text: str, shown: str = "<text>", file: Path | None = None) -> SourceFile:
    """A source file out of a text; what is wrong with it is in its `error`."""
    return SourceFile(shown, file, text.removeprefix("\ufeff"))


def read_source(path: Path | str, shown: str | None = None) -> SourceFile:
    """Read and index a file; never raises: what is wrong is in its `error`."""
    path = Path(path)
    name = path.as_posix() if shown is None else shown
    try:
        return SourceFile(name, path, decode(read_bytes(path)))
    except SourceError as error:
        return SourceFile(name, path, "", error)
