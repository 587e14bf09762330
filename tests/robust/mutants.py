"""Real files with a few accidents: lines and tokens lost, doubled, swapped or changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
ODD = (
    *"( ) [ ] { } : , . = * ** @ := -> ; ~ not lambda yield await async del global".split(),
    *"class def return with match case _ None ... 0 1_0 0x 1j 'x' f'{' b'' \\ ! \t \x0c \0".split(
        " "
    ),
    *"self super() __class__ __getattr__ __slots__ torch no_grad backward del import *".split(),
    "\ufeff",
    "é",
    "\u2028",
    "\r",
    "\n",
    '"""',
)
"""What may stand in a token's place."""

Lines = list[str]


def _delete(rng: random.Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    del lines[at : at + rng.choice([1, 1, 2, 5])]


def _double(rng: random.Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    lines[at:at] = lines[at : at + rng.choice([1, 1, 3, 10])]


def _swap(rng: random.Random, lines: Lines) -> None:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _indent(rng: random.Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    for number in range(at, min(len(lines), at + rng.choice([1, 2, 8]))):
        line = lines[number]
        lines[number] = "    " + line if rng.random() < 0.5 else line.removeprefix("    ")


def _cut(rng: random.Random, lines: Lines) -> None:
    del lines[rng.randrange(len(lines)) :]


def _tokens(rng: random.Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    tokens = TOKEN.findall(lines[at])
    if not tokens:
        return
    place, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    how = rng.randrange(4)
    if how == 0:
        del tokens[place]
    elif how == 1:
        tokens[place], tokens[other] = tokens[other], tokens[place]
    elif how == 2:
        tokens[place] = rng.choice(ODD)
    else:
        tokens.insert(place, rng.choice(ODD))
    lines[at] = "".join(tokens)


def _names(rng: random.Random, lines: Lines) -> None:
    """One name becomes another one of the file, everywhere: it stays valid syntax."""
    words = sorted(set(re.findall(r"\b[a-z_]\w+\b", "\n".join(lines))))
    if len(words) > 1:
        one, other = rng.sample(words, 2)
        lines[:] = [re.sub(rf"\b{one}\b", other, line) for line in lines]


ACCIDENTS: tuple[Callable[[random.Random, Lines], None], ...] = (
    _delete,
    _double,
    _swap,
    _indent,
    _cut,
    _tokens,
    _tokens,
    _tokens,
    _names,
    _names,
)
LONGEST = 600
"""Lines of a mutant: a stretch of a longer file is taken."""


def mutant(seed: int, text: str) -> str:
    """A text after one to four accidents."""
    rng = random.Random(seed)
    lines = text.split("\n")
    if len(lines) > LONGEST:
        start = rng.randrange(len(lines) - LONGEST)
        lines = lines[start : start + LONGEST]
    for _ in range(rng.choice([1, 1, 2, 4])):
        if lines:
            rng.choice(ACCIDENTS)(rng, lines)
    return "import torch\n" + "\n".join(lines)
