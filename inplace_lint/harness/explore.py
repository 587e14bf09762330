"""Running entries: each from its start, along a few paths, one decision flipped at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.harness import Result, arguments, entries, survey, unmet
from inplace_lint.interp import expressions, models  # noqa: F401 - registers the handlers
from inplace_lint.interp.scope import Scopes
from inplace_lint.interp.state import Decision, Exhausted, PathEnd, Raised, Shared, State
from inplace_lint.interp.truth import LEAVES_ROUND, RETURNS
from inplace_lint.ir.function import Site

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.harness import Settings
    from inplace_lint.harness.entries import Entry
    from inplace_lint.interp.project import Project
    from inplace_lint.source import SourceFile

models.load()

FORK_WEIGHT = RETURNS
"""Only a side that mutates or returns can change the answer enough to be worth a path."""
TRAINING_WEIGHT = LEAVES_ROUND
"""In a training, too, one that ends the round of the loop: the step comes in another round."""


SURE_PATHS = 2
"""So many paths an entry has in any case: by default, and with every optional argument given."""
TRAINING_TIMES = 10
"""How many times the usual steps a training may take: there are few, and they hold most bugs."""
FURTHER = 2500
"""Steps an entry may have taken, all paths together, to be worth more paths than these."""


def run_file(file: SourceFile, project: Project, settings: Settings) -> Result:
    """All entries of a file, in order; what one executed is no entry any more."""
    shared = Shared(project)
    kept: dict[SourceFile, dict[str, Value]] = {}
    plan = survey.survey(file)
    for entry in entries.entries(plan, shared):
        explore(shared, kept, entry, settings)
    result = Result(shared.stories, shared.errors, shared.revealed, shared.coverage)
    if settings.coverage:
        told: list[tuple[Site, str]] = []
        unmet.measure(plan, shared, told)
        result.unmet = unmet.listed(told)
    return result


def explore(
    shared: Shared, kept: dict[SourceFile, dict[str, Value]], entry: Entry, settings: Settings
) -> None:
    """Run one entry along its default path, then with single decisions flipped."""
    queue: list[dict[str, bool]] = [{}]
    known: list[dict[str, bool]] = []
    tried = 0
    before = shared.coverage["steps"]
    times = TRAINING_TIMES if entry.trains else 1
    while queue and tried < (entry.paths or settings.paths):
        if tried >= SURE_PATHS and shared.coverage["steps"] - before > FURTHER * times:
            break
        decisions = queue.pop(0)
        if decisions in known:
            continue
        known.append(decisions)
        tried += 1
        state = State(shared, Scopes(kept), dict(decisions), limit=settings.steps * times)
        state.origin = Site(entry.unit, 0)
        state.cap, state.made_up, state.entry = entry.cap, entry.made_up, entry.name
        whole = _run(state, entry, settings)
        if not whole:
            if not decisions and entry.told:
                shared.failed(entry.unit, f"analysis incomplete: {entry.name} ran out of steps")
            continue
        if not decisions:
            queue += _all_given(state)
        queue += [{**decisions, d.key: not d.chosen} for d in _flips(state, entry)]


def _flips(state: State, entry: Entry) -> list[Decision]:
    """The decisions worth another path, best first: in a training those of its loop, the last."""
    least = TRAINING_WEIGHT if entry.trains else FORK_WEIGHT
    flips = [d for d in state.log.values() if d.weight >= least]
    return sorted(reversed(flips) if entry.trains else flips, key=lambda d: -d.weight)


def _all_given(state: State) -> list[dict[str, bool]]:
    """The path on which every optional argument is given; a constructor's are no reason for one."""
    optional = [d for d in state.log.values() if d.key.startswith(arguments.GIVEN)]
    called = any(decision.weight >= FORK_WEIGHT for decision in optional)
    return [{decision.key: True for decision in optional}] if called else []


def _run(state: State, entry: Entry, settings: Settings) -> bool:
    """Run one path; False if it ran out of steps, so that what it would fork into would too."""
    state.shared.coverage["paths"] += 1
    try:
        entry.run(state)
    except Exhausted:
        state.shared.coverage["paths out of steps"] += 1
        return False
    except (PathEnd, Raised):
        pass
    except Exception as error:
        if settings.strict:
            raise
        state.shared.errors.append((state.origin, _internal(error)))
    finally:
        state.shared.coverage["steps"] += state.steps
    return True


def _internal(error: BaseException) -> str:
    """Where an internal error came from; never its text, which may be of any size."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else "?"
    return f"internal error ({type(error).__name__} in {place})"
