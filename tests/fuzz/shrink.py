"""Take lines out of a program for as long as the two answers differ in the same way."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.fuzz.judge import START, Judged, judge_texts


def shrink(judged: Judged) -> Judged:
    """The same disagreement in fewer lines."""
    smaller: Judged | None = judged
    while smaller is not None:
        judged, smaller = smaller, _smaller(smaller)
    return judged


def _smaller(judged: Judged) -> Judged | None:
    texts = _without(judged.text)
    with tempfile.TemporaryDirectory() as folder:
        found = judge_texts(range(len(texts)), texts, Path(folder))
    same = (judged.wrong, judged.verdict.outcome)
    return next((j for j in found if (j.wrong, j.verdict.outcome) == same), None)


def _without(text: str) -> list[str]:
    """The program without one of its lines, or one of its blocks, the last first."""
    head, start, body = text.partition(START)
    lines = body.splitlines(keepends=True)
    found = []
    for number in reversed(range(len(lines))):
        end = number + 1
        while lines[number].rstrip().endswith(":") and end < len(lines) and _inner(lines[end]):
            end += 1
        found.append(head + start + "".join([*lines[:number], *lines[end:]]))
    return [candidate for candidate in found if _compiles(candidate) and _is_bound(candidate)]


def _inner(line: str) -> bool:
    return line.startswith((" ", "\n"))


NAME = re.compile(r"\b(?:v\d+|out|loss)\b")


def _is_bound(text: str) -> bool:
    """Whether each name of the generator's is still given a value somewhere."""
    body = text.partition(START)[2]
    bound = {name for line in body.split("\n") for name in _targets(line)}
    return set(NAME.findall(body)) <= bound


def _targets(line: str) -> list[str]:
    head, sign, _ = line.partition(" = ")
    return NAME.findall(head) if sign else []


def _compiles(text: str) -> bool:
    try:
        compile(text, "program.py", "exec")
    except SyntaxError:
        return False
    return True
