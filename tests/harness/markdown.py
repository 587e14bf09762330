"""Markdown as the literate tests use it: headings, fenced blocks, a file name, directives.

    ## A heading starts a section

    `model.py`:            <- names the file that the next block holds

    ```python
    ...
    ```

    <!-- xfail: reason --> <- a directive: a word and its text

Nothing else of Markdown has a meaning. `replace` rewrites blocks in place, for goldens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

HEADING = re.compile(r"(#{1,6}) +(.*?)\s*#*$")
FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w-]*)\s*$")
FILE_NAME = re.compile(r"`([\w./-]+)`:?\s*$")
DIRECTIVE = re.compile(r"<!--\s*([\w-]+)\s*(?::\s*(.*?))?\s*-->\s*$")


class MarkdownError(Exception):
    """A literate file that does not mean what it looks like; the message starts with the line."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `line` is where its text starts, `file` the name announced before it."""

    language: str
    text: str
    line: int
    file: str | None = None


@dataclass(slots=True)
class Section:
    """What stands under one heading, up to the next one; `titles` are the headings around it."""

    titles: tuple[str, ...]
    line: int
    blocks: list[Block] = field(default_factory=list)
    directives: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The section's heading below its document's title."""
        return " / ".join(self.titles[1:] or self.titles)


def parse(text: str) -> list[Section]:
    """The sections of a document, in order; one without a heading is an error if it has blocks."""
    lines = text.split("\n")
    sections = [Section((), 1)]
    announced: str | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := FENCE.match(line):
            end = _closing(lines, number, fence.group(1))
            body = "".join(f"{row}\n" for row in lines[number:end])
            sections[-1].blocks.append(Block(fence.group(2), body, number + 1, announced))
            announced, number = None, end + 1
        elif heading := HEADING.match(line):
            titles = (*sections[-1].titles[: len(heading.group(1)) - 1], heading.group(2))
            sections.append(Section(titles, number))
        elif directive := DIRECTIVE.match(line):
            sections[-1].directives[directive.group(1)] = directive.group(2) or ""
        elif line.strip():
            name = FILE_NAME.match(line)
            announced = name.group(1) if name else None
    if sections[0].blocks:
        raise MarkdownError(f"{sections[0].blocks[0].line}: a block before the first heading")
    return sections[1:]


def _closing(lines: list[str], start: int, fence: str) -> int:
    """Index of the line that closes a fence opened just before `start`."""
    for number in range(start, len(lines)):
        if lines[number].rstrip() == fence:
            return number
    raise MarkdownError(f"{start}: this fence is never closed")


def replace(text: str, blocks: Mapping[int, str]) -> str:
    """The document with new text in the blocks that start on the given lines."""
    lines = text.split("\n")
    for section in reversed(parse(text)):
        for block in reversed(section.blocks):
            if block.line in blocks:
                start = block.line - 1
                new = blocks[block.line].rstrip("\n").split("\n")
                lines[start : start + block.text.count("\n")] = new
    return "\n".join(lines)
