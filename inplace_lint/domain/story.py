"""A finding as the interpreter tells it: typed, with legs as sites. A check filters and words it.

    y = x.exp()     # saved
    y.add_(10)      # mutated
    y.backward(g)   # used

is Story("saved-modified", mutated=<y.add_(10)>, saved=<x.exp()>, used=<y.backward(g)>,
role="result", saver="exp", mutator="add_", ...).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inplace_lint.ir.function import Site

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
LEVELS = (POSSIBLE, LIKELY, CERTAIN)
"""Confidences, rising."""


@dataclass(frozen=True, slots=True)
class Step:
    """One leg before it is worded; `note` is what the interpreter knows of it."""

    site: Site
    note: str = ""


@dataclass(slots=True)
class Story:
    """One hazard found on one path.

    kind     PyTorch's outcome: saved-modified, leaf-inplace, leaf-view-inplace, multi-view-inplace,
             nograd-view-inplace, custom-view-inplace, overlap, out-requires-grad, inference-tensor,
             silent, freed-graph
    role     of the changed tensor: "result", "operand", "parameter", "buffer"; "function" where a
             custom Function saved it and writes it itself; "grad-output", "ctx", "mark-dirty"
             likewise
    how      for kind silent: "data", "memory" (numpy, DLPack), "kernel" (unversioned kernel);
             for the view kinds: the op that made the view ("chunk", "unbind", "select" ...)
    saver    the op or module that saved, as a reader calls it ("exp", "mul", "nn.Conv2d")
    mutator  what changes it ("add_", "+=", "[...] =", "nn.ReLU(inplace=True)", "step()")
    name     how the code calls the changed tensor at the write, None if it has no name
    view     where the view was made, for the view kinds
    freed    where the graph was freed, for freed-graph
    via      calls from the entry point down to the write, outermost first
    assumes  the assumption under which it holds, worded to follow "if"; None when certain
    """

    kind: str
    mutated: Step
    saver: str = ""
    mutator: str = ""
    role: str = ""
    how: str = ""
    name: str | None = None
    saved: Step | None = None
    used: Step | None = None
    leaf: Step | None = None
    view: Step | None = None
    freed: Step | None = None
    via: tuple[Site, ...] = ()
    confidence: str = CERTAIN
    assumes: str | None = None
