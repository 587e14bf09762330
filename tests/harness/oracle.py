"""Ask real PyTorch what a small program does about in-place mutation and autograd.

Each program runs twice: *plain*, where the exception it raises (if any) gives the outcome, and
*traced*, with every saved tensor and every mutation recorded, which gives the lines. Both happen in
a forked child (see `recorder`), so that a program that kills its process costs only itself.

Outcome: "clean", "silent" (no exception, yet the bytes of a saved tensor had changed at the same
version when backward used it), "other" (an exception outside our families), or a family of
`FAMILIES`.
"""

from __future__ import annotations

import json
import os
import select
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FAMILIES: tuple[tuple[str, str], ...] = (
    ("saved-modified", "has been modified by an inplace operation"),
    ("leaf-view-inplace", "a view of a leaf Variable that requires grad is being used in an in-p"),
    ("leaf-inplace", "a leaf Variable that requires grad is being used in an in-place"),
    ("leaf-inplace", "a leaf Variable that requires grad has been used in an in-place"),
    ("leaf-view-inplace", "a view of a leaf Variable that requires grad has been used"),
    ("leaf-inplace", "leaf variable has been moved into the graph interior"),
    ("nograd-view-inplace", "was created in no_grad mode"),
    ("nograd-view-inplace", "was created in inference mode"),
    ("custom-view-inplace", "created inside a custom Function"),
    ("custom-view-inplace", "modified inplace inside a custom Function"),
    ("multi-view-inplace", "returns multiple views"),
    ("overlap", "refers to a single memory location"),
    ("overlap", "single memory location"),
    ("out-requires-grad", "functions with out=... arguments don't support automatic"),
    ("inference-tensor", "nference tensor"),
    ("freed-graph", "Trying to backward through the graph a second time"),
)
"""PyTorch's error texts, the first that fits deciding; a family is a finding's `kind`."""

BASE_MODIFIED = "its base or another view of its base has been modified"

Place = tuple[str, int]
"""A line of the program: (file name, 1-based line)."""


@dataclass(frozen=True, slots=True)
class Program:
    """Files in one folder; `main` is run, lines are told in the first of `files` that has one."""

    folder: Path
    main: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A saved tensor that a node unpacked changed: counted ("version") or not ("bytes")."""

    kind: str
    saved: tuple[Place, ...]
    mutated: tuple[Place, ...]
    backward: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What PyTorch said.

    `caught`: the program itself swallowed the error, so it is no good case. `revealed`: where
    `reveal(tensor)` was called, with the tensor's version and whether it requires grad. `events`
    are all of the traced run, which no changed tensor stops; `later` is the outcome that stopped it
    and where, the last write being named too where a view's use came after it.
    """

    outcome: str
    message: str | None = None
    raised: tuple[Place, ...] = ()
    mutated: tuple[Place, ...] = ()
    saved: tuple[Place, ...] = ()
    backward: tuple[Place, ...] = ()
    caught: bool = False
    revealed: tuple[tuple[Place, int | None, bool], ...] = ()
    events: tuple[Event, ...] = ()
    later: tuple[str, tuple[Place, ...]] = ("clean", ())


DIED = Verdict("other", "the program's process died or ran too long")


def classify(message: str) -> str:
    """The family of an error message."""
    return next((family for family, text in FAMILIES if text in message), "other")


def ask(programs: Sequence[Program], batch: int = 40, limit: float = 60) -> list[Verdict]:
    """PyTorch's verdict on each program; a forked child runs up to `batch` of them."""
    verdicts: list[Verdict] = []
    while len(verdicts) < len(programs):
        todo = programs[len(verdicts) : len(verdicts) + batch]
        answers = list(_fork(todo, limit))
        verdicts += [_whole(plain, traced) for plain, traced in answers]
        if len(answers) < len(todo):
            verdicts.append(DIED)
    return verdicts


def _fork(programs: Sequence[Program], limit: float) -> Iterator[tuple[Report, Report]]:
    """Answers of one child, in order; fewer than asked when it died or was too slow."""
    from tests.harness import recorder

    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        recorder.serve(programs, write)
    os.close(write)
    try:
        yield from map(json.loads, _lines(read, limit))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)


def _lines(read: int, limit: float) -> Iterator[bytes]:
    """Whole lines from a pipe, until it closes or is silent for `limit` seconds."""
    rest = b""
    while select.select([read], [], [], limit)[0]:
        chunk = os.read(read, 65536)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


Report = dict[str, Any]
"""What one run of a program left: "message", "raised" (a place or None), "events"."""


def _whole(plain: Report, traced: Report) -> Verdict:
    """The verdict with all that the traced run met."""
    events = tuple(
        Event(e["kind"], _places([e["saved"]]), _places(e["mutated"]), _places([e["backward"]]))
        for e in traced["events"]
    )
    message = traced["message"]
    ended = "clean" if message is None else classify(message)
    later = (ended, _places([traced["raised"], *_base_writes(traced)]))
    return replace(_verdict(plain, traced), events=events, later=later)


def _base_writes(report: Report) -> list[Any]:
    """The write that a later use of a view ran into."""
    return report["last_write"] if BASE_MODIFIED in (report["message"] or "") else []


def _verdict(plain: Report, traced: Report) -> Verdict:
    message = plain["message"]
    events = traced["events"]
    outcome = "clean" if message is None else classify(message)
    if outcome == "clean" and any(e["kind"] == "bytes" for e in events):
        outcome = "silent"
    raised = _places([plain["raised"]])
    if outcome in ("saved-modified", "silent"):
        kind = "version" if outcome == "saved-modified" else "bytes"
        chosen = [e for e in events if e["kind"] == kind] or events
        return Verdict(
            outcome,
            message,
            raised,
            mutated=_places(m for e in chosen for m in e["mutated"]),
            saved=_places(e["saved"] for e in chosen),
            backward=_places(e["backward"] for e in chosen),
        )
    if outcome in ("clean", "other"):
        caught = outcome == "clean" and any(e["kind"] == "version" for e in events)
        revealed = tuple((tuple(spot), *facts) for spot, *facts in plain["revealed"])
        return Verdict(outcome, message, raised, caught=caught, revealed=revealed)
    base_writes = traced["last_write"] if BASE_MODIFIED in (message or "") else []
    unpacked = [e for e in events if base_writes and e["backward"] == plain["raised"]]
    if unpacked:  # raised inside backward, by a view that was saved
        base_writes = [m for e in unpacked for m in e["mutated"]]
    return Verdict(outcome, message, raised, mutated=_places([plain["raised"], *base_writes]))


def _places(found: Any) -> tuple[Place, ...]:
    return tuple(sorted({(place[0], place[1]) for place in found if place}))
