"""Running entries: each from its start, along a few paths, one decision flipped at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.harness import Result, arguments, entries, survey, unmet
from inplace_lint.harness.aims import Aims, Charts, Sides
from inplace_lint.interp import expressions, models, tables  # noqa: F401 - register the handlers
from inplace_lint.interp.scope import Scopes
from inplace_lint.interp.state import Decision, Exhausted, PathEnd, Raised, Shared, State
from inplace_lint.interp.truth import LEAVES_ROUND, MUTATES, RETURNS
from inplace_lint.ir.function import Site

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.harness import Settings
    from inplace_lint.harness.entries import Entry
    from inplace_lint.interp.project import Project
    from inplace_lint.source import SourceFile

models.load()

FORK_WEIGHT = MUTATES
"""Only a side that writes is worth a path of its own: other ways out never told anything new."""
WAY_OUT = RETURNS
"""They are worth one as long as writes are not met, and for all optional arguments at once."""
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
    charts = Charts(file)
    for entry in entries.entries(plan, shared):
        explore(shared, kept, charts, entry, settings)
    result = Result(shared.stories, shared.errors, shared.revealed, shared.coverage)
    if settings.coverage:
        told: list[tuple[Site, str]] = []
        unmet.measure(plan, shared, told)
        result.unmet = unmet.listed(told)
    return result


def explore(
    shared: Shared,
    kept: dict[SourceFile, dict[str, Value]],
    charts: Charts,
    entry: Entry,
    settings: Settings,
) -> None:
    """Run one entry along its default path, then along a few others."""
    queue = Queue(Aims(shared, charts))
    known: list[Path] = []
    tried = 0
    before = shared.coverage["steps"]
    shared.reached.clear()
    shared.refused.clear()
    times = TRAINING_TIMES if entry.trains else 1
    most = settings.paths if entry.paths is None else entry.paths + 1
    while tried < most and (path := queue.next()) is not None:
        if tried >= SURE_PATHS and shared.coverage["steps"] - before > FURTHER * times:
            break
        if path in known:
            continue
        known.append(path)
        tried += 1
        limit = settings.steps * times
        state = State(shared, Scopes(kept), dict(path.decisions), path.aims, limit=limit)
        state.origin = Site(entry.unit, 0)
        state.cap, state.made_up, state.entry = entry.cap, entry.made_up, entry.name
        if _run(state, entry, settings):
            queue.add(path, state, entry)
        elif path.is_default and entry.told:
            shared.failed(entry.unit, f"analysis incomplete: {entry.name} ran out of steps")


@dataclass(slots=True)
class Path:
    """One run of an entry: what is decided, and the sides it prefers where nothing is."""

    decisions: dict[str, bool] = field(default_factory=dict)
    aims: Sides = field(default_factory=dict)

    @property
    def is_default(self) -> bool:
        """Whether nothing was chosen for it."""
        return not self.decisions and not self.aims


@dataclass(slots=True)
class Queue:
    """The paths of an entry: by default, with all given, aimed at what is unmet, then flips."""

    aims: Aims
    first: list[Path] = field(default_factory=lambda: [Path()])
    widest: dict[str, bool] = field(default_factory=dict)
    """every optional argument given, every option open"""
    flips: list[Path] = field(default_factory=list)

    def next(self) -> Path | None:
        """The path to run now."""
        if self.first:
            return self.first.pop()
        sides = self.aims.next()
        if sides:
            return Path(self.widest, sides)
        return self.flips.pop(0) if self.flips else None

    def add(self, path: Path, state: State, entry: Entry) -> None:
        """What a path that ran to its end leads to."""
        if path.aims:
            return
        if path.is_default:
            given = _all(state, arguments.GIVEN, WAY_OUT)
            self.first += [Path(given)] if given and entry.paths is None else []
            self.widest = _all(state, arguments.GIVEN) | _all(state, arguments.OPEN)
            self.aims.choosing = bool(self.widest)
        least = WAY_OUT if self.aims.left() else FORK_WEIGHT
        flips = _flips(state, entry, least) if entry.paths is None else []
        self.flips += [Path({**path.decisions, d.key: not d.chosen}) for d in flips]


def _flips(state: State, entry: Entry, least: int) -> list[Decision]:
    """The decisions worth another path, best first: in a training those of its loop, the last."""
    least = TRAINING_WEIGHT if entry.trains else least
    flips = [d for d in state.log.values() if d.weight >= least]
    return sorted(reversed(flips) if entry.trains else flips, key=lambda d: -d.weight)


def _all(state: State, prefix: str, least: int = 0) -> dict[str, bool]:
    """The decisions that begin so, all taken; a constructor's alone are no reason for a path."""
    found = [decision for decision in state.log.values() if decision.key.startswith(prefix)]
    worth = any(decision.weight >= least for decision in found)
    return {decision.key: True for decision in found} if worth else {}


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
