"""The figures of --debug-coverage: what of a file was executed, and why the rest was not.

A mutation site was met with a tensor, with something else or with a value nobody knows; or it can't
be on a tensor by its syntax (`plain`); or it stands in a function that the gate holds back, since
by syntax it writes to nothing but what it has just made; or it was not met, for a cause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint import lower
from inplace_lint.harness import survey
from inplace_lint.harness.gate import Gate
from inplace_lint.harness.plain import Proof
from inplace_lint.interp import coverage
from inplace_lint.ir import ops
from inplace_lint.ir.function import Site
from inplace_lint.ir.walk import bodies, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.harness.survey import Survey
    from inplace_lint.interp.state import Shared
    from inplace_lint.ir.function import Function
    from inplace_lint.ir.ops import Op
    from inplace_lint.source import Unit

PROVEN = "mutation sites on no tensor by syntax"
HELD = "mutation sites on what a function has just made, by syntax"
UNMET = "mutation sites not met"


@dataclass(frozen=True, slots=True)
class Place:
    """A mutation site and the ops around it, outermost first, each with the body it stands in."""

    op: Op
    around: tuple[tuple[Op, list[Op]], ...]
    before: tuple[ops.If, ...]
    """the conditions before it in the bodies it stands in"""


def places(body: list[Op]) -> Iterator[Place]:
    """The mutation sites of a body, nested bodies included."""
    yield from _places(body, (), ())


def _places(
    body: list[Op], around: tuple[tuple[Op, list[Op]], ...], before: tuple[ops.If, ...]
) -> Iterator[Place]:
    for op in body:
        if coverage.writes(op):
            yield Place(op, around, before)
        for inner in bodies(op):
            yield from _places(inner, (*around, (op, inner)), before)
        if isinstance(op, ops.If):
            before = (*before, op)


def measure(plan: Survey, shared: Shared, told: list[tuple[Site, str]]) -> None:
    """Count functions and mutation sites; `told` gets the sites not met, each with its cause."""
    figures, proof = shared.coverage, Proof(plan.file)
    gate = Gate(shared.project)
    for unit in plan.file.units:
        for function in survey.functions_in(unit):
            figures["functions"] += 1
            figures["functions executed"] += function in shared.executed
        top = survey.lowered(unit)
        held = _held(gate, unit)
        for function, owner in _owned(top) if top is not None else ():
            cold = _is_uncalled(function, shared) and _part_of(function, unit) in held
            _measure_sites(function, owner, proof, shared, None if cold else told)


def _held(gate: Gate, unit: Unit) -> set[str]:
    """The parts of a unit that the gate holds back unless something else calls them.

    Those apart that write where a caller asks for it.
    """
    nodes = gate.nodes_of(unit)
    return {node.name for node in nodes if not node.writes and "inplace" not in node.words}


def _part_of(function: Function, unit: Unit) -> str:
    """The name of the part of a unit that a function stands in."""
    names = function.qualname.split(".")
    return names[1] if unit.kind == "class" and len(names) > 1 else names[0]


def _owned(
    function: Function, owner: Function | None = None
) -> Iterator[tuple[Function, Function | None]]:
    """Every function with the class whose method it is, or that it is nested in a method of."""
    yield function, owner
    for op in walk(function.body):
        if isinstance(op, ops.MakeClass):
            yield from _owned(op.body, op.body)
        elif isinstance(op, ops.MakeFunction):
            yield from _owned(op.function, owner)


def _measure_sites(
    function: Function,
    owner: Function | None,
    proof: Proof,
    shared: Shared,
    told: list[tuple[Site, str]] | None,
) -> None:
    """One function's own sites; ops at one place (`x[i] += v`) are one. None: the gate held it."""
    found: dict[int, list[Place]] = {}
    for place in places(function.body):
        found.setdefault(place.op.at, []).append(place)
    for at, here in found.items():
        site = Site(function.unit, at)
        shared.coverage["mutation sites"] += 1
        met = shared.sites.get(site)
        if met in {coverage.TENSOR, coverage.OTHER}:
            shared.coverage[f"mutation sites met with {met}"] += 1
        elif all(proof.of(function, owner, place.op) for place in here):
            shared.coverage[PROVEN] += 1
        elif met is not None:
            shared.coverage[f"mutation sites met with {met}"] += 1
        elif told is None:
            shared.coverage[HELD] += 1
        else:
            cause = _cause(function, here[0], shared)
            shared.coverage[UNMET] += 1
            shared.coverage[f"{UNMET}, {cause}"] += 1
            told.append((site, cause))


def _is_uncalled(function: Function, shared: Shared) -> bool:
    return function.kind not in {"module", "class"} and function not in shared.executed


def _cause(function: Function, place: Place, shared: Shared) -> str:
    if _is_uncalled(function, shared):
        return next((words for holds, words in NOT_ENTERED if holds(function)), UNCALLED)
    if any(isinstance(op, ops.Try) and body is not op.body for op, body in place.around):
        return "in an exception handler"
    sides = [op for op, _ in place.around if isinstance(op, ops.If)]
    if sides:
        decided = any(op in shared.weights for op in sides)
        return f"on a side of a condition that is {'not known' if decided else 'known'}"
    if any(isinstance(op, (ops.For, ops.While)) for op, _ in place.around):
        return "in a loop that had no round"
    return "after the path had ended"


def _is_special(function: Function) -> bool:
    return function.name.startswith("__") and function.name != "__init__"


def _is_property(function: Function) -> bool:
    return any(name.endswith((".setter", "property")) for name in function.decorators)


NOT_ENTERED: tuple[tuple[Callable[[Function], bool], str], ...] = (
    (lambda f: f.kind == "lambda", "in a lambda that was not called"),
    (lambda f: "<locals>" in f.qualname, "in a nested function that was not called"),
    (_is_property, "in a property that was not used"),
    (_is_special, "in a special method that was not called"),
    (lambda f: f.name == "__init__", "in the constructor of a class that was not built"),
    (lambda f: "." in f.qualname, "in a method that was not called"),
)
"""Why a function was not executed, the first that holds."""
UNCALLED = "in a function that was not called"


def listed(told: list[tuple[Site, str]]) -> list[str]:
    """The sites not met, for people."""
    spans = [(lower.span_of(site), cause) for site, cause in told]
    return [f"{span.path}:{span.line}:{span.column}: not met, {cause}" for span, cause in spans]
