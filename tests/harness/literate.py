"""Literate programs: Markdown sections whose Python says on each line what the linter must say.

    y = x.exp()              # leg: saved
    y.add_(10)               # error: IPA101 [certain] "saved it for backward"
    y.sum().backward()       # leg: used
    reveal(y)                # revealed: version 1

Every finding needs an `error` mark on its first line and every mark a finding; the confidence and
the quoted part of the message are compared where given. `leg` marks: if there is one, each must be
met by a leg of that role on that line. A section is one program: its last block (or the one named
`run.py`) is what PyTorch executes. Directives of a section:

    <!-- xfail: reason -->      the linter's answer is known to be wrong (strict)
    <!-- no-truth: reason -->   PyTorch can't be asked: the oracle is blind here
    <!-- driver: run.py -->     for PyTorch only: the linter sees the rest, a library
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.harness import markdown
from tests.harness.markdown import MarkdownError, Section

ERROR = re.compile(
    r'# error: (IPA\d{3})(?: \[(certain|likely|possible)\])?(?: "([^"]+)")?(?= *(#|$))'
)
LEG = re.compile(r"# leg: (saved|mutated|used|leaf|view|freed|via)(?= *(#|$))")
REVEALED = re.compile(r"# revealed: (.*?) *$")
ANY_MARK = re.compile(r"#\s*(error|leg|revealed)\b")
DIRECTIVES = {"xfail", "no-truth", "driver"}


@dataclass(frozen=True, slots=True)
class Expected:
    """A mark: role "error" (text is the code), "leg" (the leg's role) or "revealed" (its text)."""

    role: str
    file: str
    line: int
    text: str
    confidence: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One section as a program: its files by name, what it expects, where it stands."""

    name: str
    line: int
    files: dict[str, str]
    marks: tuple[Expected, ...]
    main: str
    xfail: str | None = None
    no_truth: str | None = None
    driver: str | None = None

    @property
    def linted(self) -> list[str]:
        """The files that the linter sees."""
        return [name for name in self.files if name != self.driver]

    def of(self, role: str) -> list[Expected]:
        """The marks of one role."""
        return [mark for mark in self.marks if mark.role == role]

    def write(self, folder: Path, names: Iterable[str]) -> None:
        """Lay files of the program out on disk."""
        for name in names:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.files[name], encoding="utf-8")


def cases(text: str) -> list[Case]:
    """The programs of a document; names are unique."""
    found = [_case(s) for s in markdown.parse(text) if _programs(s)]
    names = [case.name for case in found]
    for case in found:
        if names.count(case.name) > 1:
            raise MarkdownError(f"{case.line}: two sections are called {case.name!r}")
    return found


def _programs(section: Section) -> list[markdown.Block]:
    return [block for block in section.blocks if block.language == "python"]


def _case(section: Section) -> Case:
    unknown = set(section.directives) - DIRECTIVES
    if unknown:
        raise MarkdownError(f"{section.line}: unknown directive {', '.join(sorted(unknown))}")
    files: dict[str, str] = {}
    for block in _programs(section):
        name = block.file or "program.py"
        if name in files:
            raise MarkdownError(f"{block.line}: {name} stands twice in one section")
        files[name] = block.text
    driver = section.directives.get("driver")
    if driver is not None and (driver not in files or len(files) == 1):
        raise MarkdownError(f"{section.line}: no file {driver} beside others in this section")
    return Case(
        name=section.name,
        line=section.line,
        files=files,
        marks=tuple(_marks(section)),
        main=driver or ("run.py" if "run.py" in files else list(files)[-1]),
        xfail=section.directives.get("xfail"),
        no_truth=section.directives.get("no-truth"),
        driver=driver,
    )


def _marks(section: Section) -> Iterator[Expected]:
    for block in _programs(section):
        for number, line in enumerate(block.text.split("\n"), start=1):
            found = list(_line_marks(line, block.file or "program.py", number))
            if len(found) != len(ANY_MARK.findall(line)):
                raise MarkdownError(f"{block.line + number - 1}: not a mark: {line.strip()}")
            yield from found


def _line_marks(line: str, file: str, number: int) -> Iterator[Expected]:
    for error in ERROR.finditer(line):
        code, confidence, message = error.group(1, 2, 3)
        yield Expected("error", file, number, code, confidence, message)
    for leg in LEG.finditer(line):
        yield Expected("leg", file, number, leg.group(1))
    for revealed in REVEALED.finditer(line):
        yield Expected("revealed", file, number, revealed.group(1))
