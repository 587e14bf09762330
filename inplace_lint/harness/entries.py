"""Which code of a file is entered, in which order, and how sure that is.

1. the module body, as a script   2. functions that nobody names   3. modules, each through its
life 4. further methods and classes that nothing executed   5. functions with callers in view that
no entry reached: possible at best, since their callers' mode is not known (the strongest precision
rule there is)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.domain.story import POSSIBLE
from inplace_lint.domain.values import ClassValue, FunctionValue
from inplace_lint.harness import ages, lives, survey
from inplace_lint.harness.doors import Doors
from inplace_lint.harness.gate import TRAINING, Gate
from inplace_lint.harness.shields import is_shielded, optimises
from inplace_lint.interp import lookup, scope
from inplace_lint.interp.state import Shared, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.domain.values import Value
    from inplace_lint.harness.survey import Survey
    from inplace_lint.ir.function import Function
    from inplace_lint.source import Unit

UNREACHED = "it is called as its own code suggests (no caller in view was reached)"


@dataclass(slots=True)
class Entry:
    """One entry point: what runs, where it stands, what caps its confidence."""

    name: str
    unit: Unit
    run: Callable[[State], None]
    made_up: bool = True
    cap: str | None = None
    paths: int | None = None
    """how many paths besides an aimed one; None as many as the settings say"""
    told: bool = True
    """whether the user is told when it runs out of steps"""
    trains: bool = False
    """whether it is a training: it builds whole models first, and its steps come last"""


def entries(plan: Survey, shared: Shared) -> Iterator[Entry]:
    """The entries of a file; later ones depend on what earlier ones executed."""
    plan.optimises = optimises(plan.file)
    gate = Gate(shared.project)
    doors = Doors(plan, gate)
    if doors.script():
        yield _script(gate, plan)
    functions = [unit for unit in plan.functions if unit.binds and doors.function(unit)]
    named = {unit: plan.is_named(unit, unit.binds[0]) for unit in functions}
    for unit, used in named.items():
        if not used and not _executed(shared, unit):
            yield _function(gate, plan, unit)
    classes = [unit for unit in plan.classes if unit.binds and doors.may_write(unit)]
    _forget_demonstrated(shared, classes)
    for unit in _roots_first(plan, [unit for unit in classes if doors.life(unit)]):
        if not _executed(shared, unit):
            yield _class(plan, unit)
    for unit in classes:
        yield from _methods(doors, shared, unit)
    yield from _conditional(doors, shared)
    doubtful = {s.mutated.site.unit for s in shared.stories if s.confidence == POSSIBLE}
    for unit, used in named.items():
        if used and (unit in doubtful or not _executed(shared, unit)):
            entry = _function(gate, plan, unit)
            if is_shielded(plan.file, unit.binds[0]):
                entry.cap = entry.cap or UNREACHED
            yield entry


def _forget_demonstrated(shared: Shared, classes: list[Unit]) -> None:
    """What a script at the end of a file shows of its classes is not all that they do.

    A class with a write that the script never came to gets its own life all the same.
    """
    for unit in classes:
        functions = survey.functions_in(unit) if unit.lowered is not None else []
        if any(not survey.all_met(shared, f) for f in functions if f in shared.executed):
            shared.executed.difference_update(functions)


def _conditional(doors: Doors, shared: Shared) -> Iterator[Entry]:
    """Definitions inside a module-level `if` or `try` that nothing executed."""
    plan = doors.plan
    for unit in filter(doors.may_write, plan.statements):
        for name in survey.definitions_in(unit):
            own = [f for f in survey.functions_in(unit) if f.qualname.partition(".")[0] == name]
            if own and shared.executed.isdisjoint(own):
                entry = Entry(name, unit, _run_definition(plan, name))
                entry.cap = UNREACHED if is_shielded(plan.file, name) else None
                yield entry


def _run_definition(plan: Survey, name: str) -> Callable[[State], None]:
    def run(state: State) -> None:
        value = scope.lookup(state, state.scopes.of(plan.file), name)
        if isinstance(value, FunctionValue):
            lives.function(state, plan, value)
        elif isinstance(value, ClassValue):
            _live(state, plan, value)

    return run


def _live(state: State, plan: Survey, cls: ClassValue) -> None:
    if lookup.is_module_class(cls):
        lives.module(state, plan, cls)
    elif lookup.is_function_class(cls):
        lives.applied(state, plan, cls)
    else:
        lives.plain_class(state, plan, cls)


def _script(gate: Gate, plan: Survey) -> Entry:
    """The module body; what it only builds and registers, other entries look up by themselves."""
    entry = Entry("<script>", plan.statements[0], lambda s: lives.script(s, plan), made_up=False)
    entry.trains = any(map(gate.trains, plan.statements))
    entry.told = any(TRAINING.search(unit.text) for unit in plan.statements)
    return entry


def _roots_first(plan: Survey, classes: list[Unit]) -> list[Unit]:
    """Classes that no other unit names come first: they reach the others."""
    used = {unit: plan.is_named(unit, unit.binds[0]) for unit in classes}
    return sorted(used, key=lambda unit: used[unit])


def _executed(shared: Shared, unit: Unit) -> bool:
    """Whether a function ran, or a class's forward() with gradients, or any method of it did."""
    if unit.lowered is None:
        return False
    functions = survey.functions_in(unit)
    if unit.kind == "def":
        return any(f in shared.executed for f in functions[:1])
    forward = [f for f in functions if f.name == "forward"]
    return any(f in shared.recorded for f in forward) or (
        not forward and any(f in shared.executed for f in functions)
    )


def _function(gate: Gate, plan: Survey, unit: Unit) -> Entry:
    def run(state: State) -> None:
        value = top_level(state, plan, unit)
        if isinstance(value, FunctionValue):
            lives.function(state, plan, value)

    entry = Entry(unit.binds[0], unit, run)
    entry.cap = IN_BACKWARD if runs_in_backward(unit) else None
    entry.trains = entry.cap is None and gate.trains(unit)
    return entry


IN_BACKWARD = "it is called with grad mode on (a part of a backward runs without)"


def runs_in_backward(unit: Unit) -> bool:
    """Whether a function is a part of some backward, by its name or its `ctx`."""
    functions = survey.functions_in(unit)
    first = functions[0].params[:1] if functions else ()
    return "backward" in unit.binds[0].split("_") or any(p.name == "ctx" for p in first)


def _class(plan: Survey, unit: Unit) -> Entry:
    def run(state: State) -> None:
        value = top_level(state, plan, unit)
        if isinstance(value, ClassValue):
            _live(state, plan, value)

    entry = Entry(unit.binds[0], unit, run)
    if not any(method.name == "forward" for method in _own_methods(unit)):
        entry.paths = 1
        entry.told = False  # its methods are entries, too
    return entry


def _methods(doors: Doors, shared: Shared, unit: Unit) -> Iterator[Entry]:
    """Methods that nothing executed, public ones first; and the roots of a class without forward().

    The life of such a class is one path over all its methods; what may write gets paths of its own.
    """
    plan = doors.plan
    if not any(doors.method(unit, part.name) for part in unit.parts or ()):
        return
    methods = _own_methods(unit)
    plain = not any(method.name == "forward" for method in methods)
    trainers = [] if plain else [m.name for m in methods if _is_trainer(m, methods)]
    if len(trainers) > 1:
        yield _training(plan, unit, trainers)
    for function in sorted(methods, key=lambda f: f.name.startswith("_")):
        if function.name.startswith("__") or not doors.method(unit, function.name):
            continue
        called = any(function.name in f.names for f in methods if f is not function)
        again = plain and not called and _writes(function, methods)
        if function in shared.executed and not again:
            continue
        name = f"{unit.binds[0]}.{function.name}"
        entry = Entry(name, unit, _run_method(plan, unit, function.name))
        entry.cap = UNREACHED if called and is_shielded(plan.file, function.name) else None
        entry.trains = not function.names.isdisjoint(ages.TRAINS)
        yield entry


def _own_methods(unit: Unit) -> list[Function]:
    """The methods of a class unit, nested functions and classes apart."""
    own = unit.binds[0]
    return [
        function
        for function in survey.functions_in(unit)
        if function.qualname.count(".") == 1 and function.qualname.partition(".")[0] == own
    ]


def _writes(function: Function, methods: list[Function]) -> bool:
    """Whether a method, or one of its class that it names, writes or trains."""
    pending, seen = [function], {function}
    while pending:
        current = pending.pop()
        if survey.mutation_sites(current) or current.names & ages.TRAINS:
            return True
        inner = [m for m in methods if m.name in current.names and m not in seen]
        pending += inner
        seen.update(inner)
    return False


def _is_trainer(function: Function, methods: list[Function]) -> bool:
    """Whether a public method runs a backward and takes a step, by itself or through another."""
    names: set[str] = set()
    pending, seen = [function], {function}
    while pending:
        current = pending.pop()
        names |= current.names
        inner = [m for m in methods if m.name in current.names and m not in seen]
        pending += inner
        seen.update(inner)
    return not function.name.startswith("_") and {"backward", "step"} <= names


def _training(plan: Survey, unit: Unit, names: list[str]) -> Entry:
    """The training methods of a module in order: a later one uses what the first has left."""

    def run(state: State) -> None:
        value = top_level(state, plan, unit)
        if isinstance(value, ClassValue):
            lives.training(state, plan, value, names)

    return Entry(f"{unit.binds[0]} in training", unit, run, paths=1, told=False, trains=True)


def _run_method(plan: Survey, unit: Unit, name: str) -> Callable[[State], None]:
    def run(state: State) -> None:
        value = top_level(state, plan, unit)
        if isinstance(value, ClassValue) and not lookup.is_function_class(value):
            lives.method(state, plan, value, name)

    return run


def top_level(state: State, plan: Survey, unit: Unit) -> Value | None:
    """The value of a top-level definition."""
    return scope.lookup(state, state.scopes.of(plan.file), unit.binds[0])
