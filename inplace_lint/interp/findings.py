"""Stories: what is told of a hazard, and how sure we are of it.

certain   every fact in view
likely    one ordinary assumption, named: what forward() returns is differentiated; an argument
          requires grad; the weights of a model from elsewhere are trained
possible  two of them, or a guess
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.story import CERTAIN, LIKELY, POSSIBLE, Step, Story
from inplace_lint.domain.tensor import DEFAULT, VIEW_KINDS, root_of
from inplace_lint.domain.values import settle
from inplace_lint.interp.state import PathEnd
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk

if TYPE_CHECKING:
    from inplace_lint.domain.memory import Write
    from inplace_lint.domain.requires import Requires
    from inplace_lint.domain.tensor import Node, Saved, Tensor
    from inplace_lint.interp.state import Frame, State
    from inplace_lint.ir.function import Site


def judge(
    state: State,
    requires: Requires,
    needs: Requires = True,
    doubts: tuple[str | None, ...] = (),
    made_up: bool = False,
) -> tuple[str, str | None]:
    """Confidence and assumption of a finding.

    `requires`: the answer the node exists under; `needs`: what the saved entry hangs on by itself.
    """
    doubt = state.cap or next((doubt for doubt in doubts if doubt), None)
    if not isinstance(requires, bool) and requires <= state.refuted:
        doubt = "a test before it is passed over"
    if state.trained and _hangs_on_data(requires):
        doubt = doubt or "what the model is given requires grad"
    words = _words(state, requires)
    if needs is not True and not _granted(requires, needs):
        doubt = doubt or _words_of(needs)
    if doubt:
        return POSSIBLE, f"{words} and {doubt}" if words else doubt
    if words:
        return LIKELY, words
    if made_up or state.made_up:
        return LIKELY, "the function is called as its code suggests"
    return CERTAIN, None


def _hangs_on_data(requires: Requires) -> bool:
    """Whether it takes an argument that requires grad, though what is trained is a model."""
    return not isinstance(requires, bool) and all(a.kind == "argument" for a in requires)


PROJECTED = frozenset("q k v query key value queries keys values".split())
"""Arguments of attention: projections of one input, which require grad with one another."""


def _granted(requires: Requires, needs: Requires) -> bool:
    """Whether the entry hangs on all that the node does, or on forward()'s own input."""
    if isinstance(needs, bool):
        return needs
    if any(assumption.main or assumption.name in PROJECTED for assumption in needs):
        return True
    return not isinstance(requires, bool) and requires <= needs


def _words(state: State, requires: Requires) -> str | None:
    own = None if requires is True else _words_of(requires)
    if state.backward is None:
        return own
    return state.backward if own is None else f"{state.backward} and {own}"


def _words_of(requires: Requires) -> str | None:
    if requires is True or requires is False:
        return None
    ranked = sorted(requires, key=lambda a: (not a.main, a.kind, a.name))
    return ranked[0].words() if ranked else None


def tell(state: State, story: Story) -> None:
    """Keep a story; one that rests on nothing made up ends the path, as PyTorch would."""
    if not state.silent:
        state.shared.tell(story)


def _told_now(state: State, story: Story, requires: Requires) -> None:
    """An error that PyTorch raises at this very op.

    What follows on the path would not run: where the error is certain the path ends, and where it
    hangs on assumptions nothing further is told that hangs on no other.
    """
    if _raised_before(state, requires):
        return
    tell(state, story)
    if state.silent or story.confidence == POSSIBLE:
        return
    if story.confidence == CERTAIN:
        raise PathEnd
    if isinstance(requires, bool):
        state.over = True
    else:
        state.raised |= requires


def _raised_before(state: State, requires: Requires) -> bool:
    """Whether the program has ended in an error already wherever this answer is yes."""
    return state.over or (not isinstance(requires, bool) and requires <= state.raised)


# ---- backward ------------------------------------------------------------------------------


def saved_changed(state: State, node: Node, entry: Saved, write: Write, used: Step) -> None:
    """A saved tensor was written, counted (`saved-modified`) or past its counter (`silent`)."""
    if write.hidden or _raised_before(state, node.requires):
        return
    counted = entry.counter.version != entry.version and not entry.on_ctx
    confidence, assumes = judge(
        state,
        node.requires,
        entry.needs,
        (node.doubt, entry.doubt, write.doubt),
        node.made_up or entry.tensor.made_up,
    )
    confidence, assumes = _on_backend(entry, confidence, assumes)
    tell(
        state,
        Story(
            "saved-modified" if counted else "silent",
            Step(write.site),
            saver=node.op,
            mutator=write.mutator,
            role=_role(node, entry, write),
            how="" if counted else entry.unseen or write.how,
            name=write.name or entry.tensor.name,
            saved=Step(entry.site),
            used=used,
            via=write.via,
            confidence=confidence,
            assumes=assumes,
        ),
    )


def _on_backend(entry: Saved, confidence: str, assumes: str | None) -> tuple[str, str | None]:
    """One more assumption where backends differ in what they keep."""
    if not entry.backend:
        return confidence, assumes
    if confidence == CERTAIN:
        return LIKELY, entry.backend
    return POSSIBLE, f"{assumes} and {entry.backend}"


def _role(node: Node, entry: Saved, write: Write) -> str:
    """A custom Function saves operands, its own results too; what it writes itself is its own."""
    if node.function is not None:
        inside = getattr(write.inside, "cls", None) is getattr(node.function, "cls", node)
        role = "operand" if entry.role == "result" else entry.role
        return "ctx" if entry.on_ctx else ("function" if inside else role)
    return entry.role


def unmarked(state: State, node: Node, tensor: Tensor, write: Write, used: Step) -> None:
    """A gradient passes a use of what a custom Function wrote without mark_dirty()."""
    doubts = (node.doubt, tensor.doubt, write.doubt)
    _silent(state, node, write, Step(used.site), judge(state, node.requires, True, doubts))


def gradient_written(state: State, node: Node, write: Write, sure: bool) -> None:
    """A custom backward() wrote to the gradient it got, which other nodes still wait to read."""
    doubt = None if sure else "another node reads the same gradient"
    verdict = judge(state, node.requires, True, (node.doubt, doubt), node.made_up)
    _silent(state, node, write, None, verdict)


def _silent(
    state: State, node: Node, write: Write, used: Step | None, verdict: tuple[str, str | None]
) -> None:
    """A write inside a custom Function that nothing notices."""
    if write.hidden:
        return
    tell(
        state,
        Story(
            "silent",
            Step(write.site),
            saver=node.op,
            mutator=write.mutator,
            role="grad-output" if used is None else "mark-dirty",
            how="data",
            name=write.name,
            used=used,
            via=write.via,
            confidence=verdict[0],
            assumes=verdict[1],
        ),
    )


def graph_freed(
    state: State, node: Node, freed: Site, used: Step, doubt: str | None = None
) -> None:
    """Backward a second time through a graph that was freed."""
    unseen = not isinstance(node.requires, bool) and any(
        assumption.kind in {"result", "attribute"} for assumption in node.requires
    )
    doubts = (node.doubt, doubt, "what made the graph is what it seems" if unseen else None)
    confidence, assumes = judge(state, node.requires, True, doubts, node.made_up)
    tell(
        state,
        Story(
            "freed-graph",
            Step(state.here()),
            saver=node.op,
            mutator="backward()",
            saved=Step(node.site),
            freed=Step(freed),
            used=used,
            via=state.via(),
            confidence=confidence,
            assumes=assumes,
        ),
    )


def lent_written(state: State, tensor: Tensor, lender: Tensor, write: Write) -> None:
    """A detached alias of the caller's tensor is written as if it were a copy.

    It is meant for one where the function goes on with it under a name of its own; what only writes
    through an alias (`average.detach().mul_(decay)`) means to write.
    """
    if write.hidden or state.ungraded or not _goes_on(state.frames[-1], tensor):
        return
    entered = state.frames[0].function.name
    private = entered.startswith("_") and not entered.startswith("__")
    doubts = (write.doubt, state.cap, "its callers keep what they give it" if private else None)
    doubt = next((each for each in doubts if each), None)
    words = f"a caller's graph keeps `{lender.name}` for backward"
    tell(
        state,
        Story(
            "saved-modified",
            Step(write.site),
            mutator=write.mutator,
            role="lent",
            name=write.name,
            view=Step(tensor.made) if tensor.made is not None else None,
            how=tensor.maker,
            via=write.via,
            confidence=POSSIBLE if doubt else LIKELY,
            assumes=f"{words} and {doubt}" if doubt else words,
        ),
    )


def _goes_on(frame: Frame, tensor: Tensor) -> bool:
    """Whether a name of the running function means the tensor, and is read after the running op."""
    names = {name for name, value in frame.env.names.items() if settle(value) is tensor}
    now = frame.op.at if frame.op is not None else 0
    return any(
        isinstance(op, ops.LoadName) and op.name in names and op.at > now
        for op in walk(frame.function.body)
    )


# ---- writes that PyTorch refuses ------------------------------------------------------------


def _refusal(
    state: State, requires: Requires, doubts: tuple[str | None, ...], made_up: bool
) -> tuple[str, str | None]:
    """Confidence and assumption; what nobody differentiates is given nothing that requires grad."""
    given = not isinstance(requires, bool) and all(a.kind != "weights" for a in requires)
    return judge(state, requires, True, (*doubts, state.ungraded if given else None), made_up)


def leaf_written(state: State, kind: str, tensor: Tensor, mutator: str) -> None:
    """In-place on a leaf that requires grad, or on a view of one."""
    leaf = root_of(tensor)
    confidence, assumes = _refusal(state, leaf.requires, (tensor.doubt,), leaf.made_up)
    made = leaf.made
    _told_now(
        state,
        Story(
            kind,
            Step(state.place()),
            mutator=mutator,
            role=leaf.role,
            name=tensor.name or leaf.name,
            leaf=Step(made) if made is not None else None,
            view=Step(tensor.made) if tensor.base is not None and tensor.made else None,
            how=tensor.maker if tensor.base is not None else "",
            via=state.via(),
            confidence=confidence,
            assumes=assumes,
        ),
        leaf.requires,
    )


def forbidden_view(
    state: State, kind: str, tensor: Tensor, requires: Requires, mutator: str
) -> None:
    """In-place, recorded, on a view that may not be written; told once a view."""
    tensor.meta = DEFAULT
    confidence, assumes = _refusal(state, requires, (tensor.doubt,), tensor.made_up)
    _told_now(
        state,
        Story(
            kind,
            Step(state.place()),
            mutator=mutator,
            how=tensor.maker,
            name=tensor.name,
            view=Step(tensor.made) if tensor.made is not None else None,
            via=state.via(),
            confidence=confidence,
            assumes=assumes,
        ),
        requires,
    )


def later_use_of_view(state: State, tensor: Tensor, write: Write, used: Step | None = None) -> None:
    """A view that may not be written is used after its base or a sibling was.

    `used` is the backward that unpacks it; without one it is the op at hand that is refused.
    """
    if write.hidden:
        return
    base = root_of(tensor)
    doubts = (tensor.doubt, write.doubt)
    confidence, assumes = _refusal(state, base.requires, doubts, tensor.made_up)
    story = Story(
        VIEW_KINDS[tensor.meta],
        Step(write.site),
        mutator=write.mutator,
        how=tensor.maker,
        name=write.name,
        view=Step(tensor.made) if tensor.made is not None else None,
        used=used or Step(state.here(), "the view is used after its base was written"),
        via=write.via,
        confidence=confidence,
        assumes=assumes,
    )
    if used is not None:
        tell(state, story)
    else:
        _told_now(state, story, base.requires)


def immediate(state: State, kind: str, tensor: Tensor, requires: Requires, mutator: str) -> None:
    """Overlap, out= with grad: refused at the write."""
    confidence, assumes = _refusal(state, requires, (tensor.doubt,), tensor.made_up)
    _told_now(
        state,
        Story(
            kind,
            Step(state.place()),
            mutator=mutator,
            how=tensor.maker,
            name=tensor.name,
            view=Step(tensor.made) if tensor.made is not None else None,
            via=state.via(),
            confidence=confidence,
            assumes=assumes,
        ),
        requires,
    )


def inference_written(state: State, tensor: Tensor, mutator: str) -> None:
    """An inference tensor is written outside inference mode."""
    immediate(state, "inference-tensor", tensor, True, mutator)


def inference_saved(state: State, node: Node, tensor: Tensor) -> None:
    """An inference tensor would have to be saved for backward."""
    immediate(state, "inference-tensor", tensor, node.requires, node.op)
