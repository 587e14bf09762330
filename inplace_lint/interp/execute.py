"""Statements and control flow: bodies of ops, run one after the other.

A handler returns None to go on, or a signal that ends the bodies around it. Loops run at most
`ROUNDS` times: twice is what it takes for what round n saved to meet what round n+1 changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from inplace_lint.domain.values import (
    NONE,
    Const,
    Env,
    ListValue,
    TupleValue,
    Unknown,
    settle,
)
from inplace_lint.interp import acts, containers, contexts, iterate, rounds, scope, substitutes
from inplace_lint.interp.dispatch import HANDLERS, handles
from inplace_lint.interp.exceptions import catches
from inplace_lint.interp.state import Exhausted, Raised
from inplace_lint.interp.truth import (
    both_weights,
    combined,
    decide,
    short_circuit,
    truth,
    written_by,
)
from inplace_lint.ir import ops

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import Frame, State

Signal: TypeAlias = "str | None"
BREAK: Final = "break"
CONTINUE: Final = "continue"
RETURN: Final = "return"

ROUNDS = 2
KNOWN_ROUNDS = 12
"""Rounds of a loop whose items are known; construction code needs more than two."""
CHEAP = 2000
"""Steps within which such a loop visits all of its items: one that was left out keeps its state."""


@acts.run_body.bind
def run_body(state: State, frame: Frame, body: list[ops.Op]) -> Signal:
    """Run ops in order; the signal that ended them early, if any."""
    handlers = HANDLERS
    for op in body:
        state.steps = steps = state.steps + 1
        if steps > state.limit:
            raise Exhausted
        frame.op = op
        signal = handlers[op.__class__](state, frame, op)
        if signal is not None:
            return signal
    return None


GUARD = 16
"""Ops of a body that is taken for a guard of a special case when it ends by leaving."""


@handles(ops.If)
def run_if(state: State, frame: Frame, op: ops.If) -> Signal:
    """One side; which, if unknown, is a decision. `a and b`, `a or b` are decided as a whole."""
    value = settle(frame.registers[op.cond])
    word = short_circuit(op)
    if word and truth(state, value) is None:
        run_body(state, frame, op.then if word == "and" else op.orelse)
        copy = (op.orelse if word == "and" else op.then)[0]
        assert isinstance(copy, ops.Copy)
        other = settle(frame.registers[copy.out])
        frame.registers[copy.out] = combined(state, word, value, other)
        return None
    known = truth(state, value)
    if type(value) is Const and value.of is not None:
        rounds.met(op, value, weights(state, op))
    then = _decide(state, op, value) if known is None else known
    return run_body(state, frame, op.then if then else op.orelse)


def _decide(state: State, op: ops.If, value: Value) -> bool:
    """The side that the path aims at, else the one that the code's form prefers."""
    aimed = state.aims.get(op)
    default = _default(op) if aimed is None else aimed
    return decide(state, value, default, weights(state, op))


def weights(state: State, op: ops.If) -> tuple[int, int]:
    """How much each side may change the answer; computed once."""
    found = state.shared.weights.get(op)
    if found is None:
        found = state.shared.weights[op] = both_weights(op, written_by(state.frames[-1].function))
    return found


def _default(op: ops.If) -> bool | None:
    """The side taken when nothing is known: no raise, guard or nothing; None leaves it open."""
    if raises(op.then) or (gives_nothing(op.then) and op.orelse):
        return False
    if raises(op.orelse):
        return True
    if op.orelse and not op.then:
        return False
    guard = leaves(op.then) and not op.orelse
    return False if guard and len(op.then) <= GUARD else None


def gives_nothing(body: list[ops.Op]) -> bool:
    """Whether a side is the 0 or None of `0 if test else n`."""
    if len(body) != 2 or not isinstance(body[0], ops.Const) or not isinstance(body[1], ops.Copy):
        return False
    value = body[0].value
    return value is None or (value == 0 and value is not False)


LEAVES = (ops.Raise, ops.Return, ops.Continue, ops.Break)


def leaves(body: list[ops.Op]) -> bool:
    """Whether a body never runs to its end: it ends in a jump, or in an If of two such sides."""
    last = body[-1] if body else None
    if isinstance(last, ops.If):
        return leaves(last.then) and leaves(last.orelse)
    return isinstance(last, LEAVES)


def raises(body: list[ops.Op]) -> bool:
    """Whether a body leaves, and by a raise on one of its ways at least."""
    last = body[-1] if body else None
    if isinstance(last, ops.If):
        return leaves(body) and (raises(last.then) or raises(last.orelse))
    return isinstance(last, ops.Raise)


@handles(ops.For)
def run_for(state: State, frame: Frame, op: ops.For) -> Signal:
    """A few rounds over the items known or made up."""
    iterable = settle(frame.registers[op.iterable])
    given = iterate.running(state, iterable)
    if given is not None:
        return _run_in_step(state, frame, op, given)
    more = iterable.more if isinstance(iterable, ListValue) else None
    items = iterate.items_for_loop(state, iterable)
    start = state.steps
    for done, item in enumerate(rounds.visit(items, more)):
        if _is_enough(state, done, start):
            break
        frame.registers[op.item] = item
        signal = run_body(state, frame, op.body)
        if signal == BREAK:
            return None
        if signal == RETURN:
            return signal
    return run_body(state, frame, op.orelse)


def _is_enough(state: State, done: int, start: int) -> bool:
    """Whether a loop over known items is cut short: they are many, and each takes long."""
    return done >= KNOWN_ROUNDS and state.steps - start > CHEAP


class LoopEnd(Exception):  # noqa: N818
    """A loop over a running generator ends before the generator does."""


def _run_in_step(state: State, frame: Frame, op: ops.For, given: iterate.Running) -> Signal:
    """Each round runs where a generator yields its item."""
    signals: list[Signal] = []
    end, start = LoopEnd(), state.steps

    def consume(item: Value) -> None:
        frame.registers[op.item] = item
        signal = run_body(state, frame, op.body)
        signals.append(signal)
        if signal in {BREAK, RETURN} or _is_enough(state, len(signals), start):
            raise end

    try:
        given.run(consume)
    except LoopEnd as reached:
        if reached is not end:
            raise
        if signals[-1] in {BREAK, RETURN}:
            return RETURN if signals[-1] == RETURN else None
    return run_body(state, frame, op.orelse)


@handles(ops.While)
def run_while(state: State, frame: Frame, op: ops.While) -> Signal:
    """At most two rounds of an unknown condition, a few more of a known one."""
    for done in range(KNOWN_ROUNDS):
        run_body(state, frame, op.test)
        known = decide_loop(state, frame.registers[op.cond], done)
        if not known:
            return run_body(state, frame, op.orelse)
        signal = run_body(state, frame, op.body)
        if signal == BREAK:
            return None
        if signal == RETURN:
            return signal
    return None


def decide_loop(state: State, value: Value, rounds: int) -> bool:
    """Whether a while loop goes on: as its test says when known, else for two rounds."""
    known = truth(state, value)
    endless = type(value) is Const
    if known is None or (known and endless):
        return rounds < ROUNDS
    return known


@handles(ops.Break)
def run_break(state: State, frame: Frame, op: ops.Break) -> Signal:
    return BREAK


@handles(ops.Continue)
def run_continue(state: State, frame: Frame, op: ops.Continue) -> Signal:
    return CONTINUE


@handles(ops.Return)
def run_return(state: State, frame: Frame, op: ops.Return) -> Signal:
    frame.result = frame.registers[op.value]
    frame.returned = state.here()
    return RETURN


@handles(ops.Raise)
def run_raise(state: State, frame: Frame, op: ops.Raise) -> Signal:
    raise Raised(frame.registers[op.value] if op.value is not None else Unknown(_key(state)))


def _key(state: State) -> str:
    return f"value:{state.next()}"


@handles(ops.Try)
def run_try(state: State, frame: Frame, op: ops.Try) -> Signal:
    """The body, a handler when it raised, and always the final body."""
    try:
        signal = _guarded(state, frame, op)
    except Raised:
        run_body(state, frame, op.final)
        raise
    return run_body(state, frame, op.final) or signal


def _guarded(state: State, frame: Frame, op: ops.Try) -> Signal:
    fallback = _fallback(state, frame, op)
    if fallback is not None:
        return run_body(state, frame, fallback.body)
    if not op.handlers:
        return run_body(state, frame, op.body)
    state.guarded += 1
    try:
        signal = run_body(state, frame, op.body)
    except Raised as error:
        raised = error
    else:
        return signal if signal is not None else run_body(state, frame, op.orelse)
    finally:
        state.guarded -= 1
    return _handled(state, frame, op, raised)


def _handled(state: State, frame: Frame, op: ops.Try, raised: Raised) -> Signal:
    """Run the first handler that may catch what was raised."""
    for handler in op.handlers:
        run_body(state, frame, handler.test)
        types = NONE if handler.types is None else frame.registers[handler.types]
        if handler.types is None or catches(types, raised.value) is not False:
            return _handle(state, frame, handler, raised.value)
    raise raised


IMPORTS = (ops.Import, ops.ImportFrom)


def _fallback(state: State, frame: Frame, op: ops.Try) -> ops.Handler | None:
    """The handler that imports from the project what else a library would give.

    `try: from fast_kernels import norm` / `except ImportError: from .layers import norm`: the
    library may be missing, and only the fallback is in view.
    """
    wanted = [inner for inner in op.body if isinstance(inner, IMPORTS)]
    if not wanted or not op.handlers or any(_is_ours(state, frame, inner) for inner in wanted):
        return None
    if len(wanted) + sum(isinstance(o, ops.StoreName) for o in op.body) != len(op.body):
        return None
    handler = op.handlers[0]
    ours = any(isinstance(o, IMPORTS) and _is_ours(state, frame, o) for o in handler.body)
    return handler if ours else None


def _is_ours(state: State, frame: Frame, op: ops.Import | ops.ImportFrom) -> bool:
    level = op.level if isinstance(op, ops.ImportFrom) else 0
    return state.shared.project.find(frame.scope.file, op.module, level) is not None


def _handle(state: State, frame: Frame, handler: ops.Handler, value: Value) -> Signal:
    """Run a handler's body; a bare `raise` in it raises the same again."""
    if handler.name is not None:
        frame.env.names[handler.name] = value
    return run_body(state, frame, handler.body)


@handles(ops.With)
def run_with(state: State, frame: Frame, op: ops.With) -> Signal:
    """Enter, body, leave; what the manager does is a model's (`contexts`)."""

    def body(entered: Value) -> Signal:
        frame.registers[op.entered] = entered
        return run_body(state, frame, op.body)

    return contexts.around(state, frame.registers[op.manager], body)


@handles(ops.StoreName)
def run_store(state: State, frame: Frame, op: ops.StoreName) -> Signal:
    value = frame.registers[op.src]
    if op.scope == "local":
        if frame.env.names.get(op.name) is NONE:
            substitutes.note(state, frame, op.name, value)
        frame.env.names[op.name] = value
    elif op.scope == "global":
        frame.scope.env.names[op.name] = value
    else:
        _binder(frame.env.parent, op.name).names[op.name] = value
    return None


def _binder(env: Env | None, name: str) -> Env:
    while env is not None and name not in env.names and env.parent is not None:
        env = env.parent
    return env if env is not None else Env({})


@handles(ops.DeleteName)
def run_delete(state: State, frame: Frame, op: ops.DeleteName) -> Signal:
    frame.env.names.pop(op.name, None)
    return None


@handles(ops.Yield)
def run_yield(state: State, frame: Frame, op: ops.Yield) -> Signal:
    """Collects the value; a context manager's generator runs its `with` body here."""
    value = frame.registers[op.value]
    if frame.on_yield is not None:
        frame.on_yield(value)
    elif frame.yields is not None:
        frame.yields.append(value)
    frame.registers[op.out] = NONE if frame.on_yield is None else Unknown(_key(state))
    return None


@handles(ops.YieldFrom)
def run_yield_from(state: State, frame: Frame, op: ops.YieldFrom) -> Signal:
    items = iterate.items_for_loop(state, settle(frame.registers[op.value]))
    if frame.on_yield is not None:
        for item in items:
            frame.on_yield(item)
    elif frame.yields is not None:
        frame.yields.extend(items)
    frame.registers[op.out] = NONE
    return None


@handles(ops.ImportStar)
def run_import_star(state: State, frame: Frame, op: ops.ImportStar) -> Signal:
    """Nothing now: `scope.lookup` asks the module when a name is missing."""
    return None


@handles(ops.Import)
def run_import(state: State, frame: Frame, op: ops.Import) -> Signal:
    frame.registers[op.out] = scope.import_module(state, frame.scope.file, op.module, op.top)
    return None


@handles(ops.ImportFrom)
def run_import_from(state: State, frame: Frame, op: ops.ImportFrom) -> Signal:
    file = frame.scope.file
    frame.registers[op.out] = scope.import_name(state, file, op.module, op.level, op.name)
    return None


@handles(ops.Unpack)
def run_unpack(state: State, frame: Frame, op: ops.Unpack) -> Signal:
    """Items to targets; a starred target takes the middle as a list."""
    value = settle(frame.registers[op.value])
    items = iterate.items_for_unpack(state, value, len(op.outs), op.star)
    if op.star >= 0 and len(items) >= len(op.outs) - 1:
        after = len(op.outs) - 1 - op.star
        middle = items[op.star : len(items) - after]
        items = [*items[: op.star], ListValue(middle), *items[len(items) - after :]]
    for out, item in zip(op.outs, items, strict=False):
        frame.registers[out] = item
    for out in op.outs[len(items) :]:
        frame.registers[out] = Unknown(_key(state))
    return None


@handles(ops.MakeTuple)
def run_tuple(state: State, frame: Frame, op: ops.MakeTuple) -> Signal:
    frame.registers[op.out] = TupleValue(tuple(_items(state, frame, op.items, op.starred)))
    return None


@handles(ops.MakeList)
def run_list(state: State, frame: Frame, op: ops.MakeList) -> Signal:
    frame.registers[op.out] = ListValue(_items(state, frame, op.items, op.starred))
    return None


@handles(ops.MakeSet)
def run_set(state: State, frame: Frame, op: ops.MakeSet) -> Signal:
    items = _items(state, frame, op.items, op.starred)
    frame.registers[op.out] = ListValue(items, kind="set")
    return None


def _items(
    state: State, frame: Frame, items: tuple[int, ...], starred: tuple[int, ...]
) -> list[Value]:
    values: list[Value] = []
    for position, register in enumerate(items):
        value = frame.registers[register]
        if position in starred:
            values.extend(iterate.items_for_loop(state, settle(value)))
        else:
            values.append(value)
    return values


@handles(ops.MakeDict)
def run_dict(state: State, frame: Frame, op: ops.MakeDict) -> Signal:
    made = containers.empty_dict()
    for key, register in op.pairs:
        value = frame.registers[register]
        if key is None:
            containers.merge_dict(made, settle(value))
        else:
            containers.put(made, frame.registers[key], value)
    frame.registers[op.out] = made
    return None


@handles(ops.Append)
def run_append(state: State, frame: Frame, op: ops.Append) -> Signal:
    container = frame.registers[op.container]
    if isinstance(container, ListValue):
        container.items.append(frame.registers[op.value])
    return None
