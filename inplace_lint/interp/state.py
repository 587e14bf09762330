"""The state of one path, and the few rules that belong to it: decisions, budget, modes.

*Re-execution by decisions*: a path is a run from the entry's start under a table of decisions for
conditions that are not known, keyed by the symbol of the value, so that equal conditions agree.
The log of what was decided by default tells which other paths there are; no heap is ever copied or
merged.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.ir.function import Site

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.requires import Assumption
    from inplace_lint.domain.story import Story
    from inplace_lint.domain.values import ClassValue, Const, Env, Value
    from inplace_lint.interp.project import Project
    from inplace_lint.interp.scope import ModuleScope, Scopes
    from inplace_lint.interp.substitutes import Container
    from inplace_lint.ir.function import Function
    from inplace_lint.ir.ops import If, Op
    from inplace_lint.source import Unit


class PathEnd(Exception):  # noqa: N818
    """The path goes no further: budget used up, or PyTorch would certainly have raised."""


class Raised(Exception):  # noqa: N818
    """The program raised; `value` is the exception object."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class Exhausted(PathEnd):
    """The step budget of the path is used up."""


@dataclass(slots=True)
class Decision:
    """A condition decided by default; `weight` says how much the other side may matter."""

    key: str
    chosen: bool
    weight: int


@dataclass(slots=True, eq=False)
class Frame:
    """One running body; `yields` is what a generator gave, `owner` the class for super()."""

    function: Function
    env: Env
    scope: ModuleScope
    registers: list[Value]
    owner: ClassValue | None = None
    receiver: Value | None = None
    op: Op | None = None
    result: Value | None = None
    returned: Site | None = None
    yields: list[Value] | None = None
    on_yield: Callable[[Value], None] | None = None


@dataclass(slots=True)
class Modes:
    """Thread-local modes of PyTorch: grad mode, inference mode, saved-tensor hooks, autocast."""

    grad: bool = True
    inference: bool = False
    hooks: bool = False
    autocast: bool = False
    function: object | None = None


@dataclass(slots=True)
class Shared:
    """What the paths of one file share: caches, counters, and what was found."""

    project: Project
    coverage: Tally[str] = field(default_factory=Tally)
    stories: list[Story] = field(default_factory=list)
    told: set[tuple[object, ...]] = field(default_factory=set)
    errors: list[tuple[Site | None, str]] = field(default_factory=list)
    revealed: list[tuple[Site, str]] = field(default_factory=list)
    executed: set[Function] = field(default_factory=set)
    recorded: set[Function] = field(default_factory=set)
    """those that were executed with grad mode on"""
    weights: dict[If, tuple[int, int]] = field(default_factory=dict)
    reached: dict[Function, None] = field(default_factory=dict)
    """functions that the running entry has executed, in order"""
    sites: dict[Site, str] = field(default_factory=dict)
    """mutation sites met, and with what"""
    substitutes: dict[Function, dict[str, Container]] = field(default_factory=dict)
    """by function and parameter: what it puts in the place of an argument that is None"""
    refused: set[Function] = field(default_factory=set)
    """functions that raised, on the running entry's first path, for what the harness made up"""

    def tell(self, story: Story) -> None:
        """Keep a story unless the same was told with the same confidence."""
        steps = (story.mutated, story.saved, story.used, story.leaf, story.view, story.freed)
        key = (story.kind, story.role, story.how, story.confidence, *(s and s.site for s in steps))
        if key not in self.told:
            self.told.add(key)
            self.stories.append(story)

    def entered(self, function: Function, recorded: bool) -> None:
        """Note that a function was executed, and whether with gradients."""
        self.executed.add(function)
        self.reached[function] = None
        if recorded:
            self.recorded.add(function)

    def failed(self, unit: Unit, message: str) -> None:
        """Note a unit that can't be analysed, once."""
        error = (Site(unit, 0), message)
        if error not in self.errors:
            self.errors.append(error)


@dataclass(slots=True, eq=False)
class State:
    """Everything a path changes."""

    shared: Shared
    scopes: Scopes
    decisions: dict[str, bool] = field(default_factory=dict)
    aims: dict[If, bool] = field(default_factory=dict)
    """sides to prefer where a condition is not known"""
    log: dict[str, Decision] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """keys that `decisions` has answered"""
    steps: int = 0
    limit: int = 5000
    sequence: int = 0
    modes: Modes = field(default_factory=Modes)
    frames: list[Frame] = field(default_factory=list)
    origin: Site | None = None
    """where the entry point stands, for what happens outside any frame"""
    optimizers: list[Value] = field(default_factory=list)
    cap: str | None = None
    """why nothing found on this path is better than "possible" """
    refuted: set[Assumption] = field(default_factory=set)
    """assumptions that a test on this path said are false"""
    raised: set[Assumption] = field(default_factory=set)
    """assumptions under which PyTorch has refused a write in this call of the entry already"""
    over: bool = False
    """whether PyTorch has refused a write in this call of the entry whatever is assumed"""
    made_up: bool = False
    entry: str = ""
    ungraded: str | None = None
    """why nobody wants a gradient of what the entry returns, by its name or its file's"""
    ran: set[Function] = field(default_factory=set)
    """functions entered since the harness has called something"""
    world: dict[str, Value] = field(default_factory=dict)
    backward: str | None = None
    """set while the harness assumes a backward: the words of the assumption"""
    trained: bool = False
    """set where that backward trains a model whatever the arguments are: they are data"""
    returned: Site | None = None
    """the return statement of the function that returned last"""
    blame: Site | None = None
    """where the in-place module was made that a container of the same class runs now"""
    contained: int = 0
    """above zero while a container of modules runs its children"""
    rounds: list[tuple[Const, bool]] = field(default_factory=list)
    """the very objects that number the rounds of loops, and whether it is the last round"""
    remembered: dict[tuple[object, ...], tuple[Value, list[Value]]] = field(default_factory=dict)
    """what functions under lru_cache gave, by function and arguments; these are kept alive"""
    guarded: int = 0
    """above zero inside a `try` with handlers: what raises may be caught"""
    silent: int = 0
    """above zero while the harness runs something whose findings are not the program's"""

    def next(self) -> int:
        """A fresh number: sequence of nodes, keys of unknown values."""
        self.sequence += 1
        return self.sequence

    def decide(self, key: str, default: bool, weight: int = 1) -> bool:
        """Settle a condition that is not known, the same way each time on this path."""
        known = self.decisions.get(key)
        if known is not None:
            self.asked.add(key)
            return known
        known_default = self.log.get(key)
        if known_default is not None:
            known_default.weight = max(known_default.weight, weight)
            return known_default.chosen
        self.log[key] = Decision(key, default, weight)
        return default

    def here(self) -> Site:
        """The op that is running, in the innermost function in view."""
        for frame in reversed(self.frames):
            if frame.op is not None and not frame.scope.library:
                return Site(frame.function.unit, frame.op.at)
        assert self.origin is not None
        return self.origin

    def place(self) -> Site:
        """Where a write is told: the running op, or the in-place module a container ran for it."""
        return self.blame or self.here()

    def via(self) -> tuple[Site, ...]:
        """The calls that lead to the running function, outermost first."""
        own = [frame for frame in self.frames if not frame.scope.library]
        frames = own if self.blame is not None else own[:-1]
        return tuple(Site(frame.function.unit, frame.op.at) for frame in frames if frame.op)

    def innermost(self) -> Site:
        """The op that is running, be it a library's."""
        frame = self.frames[-1] if self.frames else None
        return Site(frame.function.unit, frame.op.at) if frame and frame.op else self.here()
