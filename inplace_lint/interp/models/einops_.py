"""einops: a rearranged tensor is a view as long as no merged axes have to be moved."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    Const,
    External,
    ListValue,
    TupleValue,
    Unknown,
    Value,
    literal,
    settle,
)
from inplace_lint.interp import autograd, calls, unknowns
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.interp.state import State

LETTERS = string.ascii_letters
TOKEN = re.compile(r"\(([^()]*)\)|(\S+)")


@dataclass(slots=True)
class Pattern:
    """`b (h w) c -> b c h w`: the groups of axes on both sides."""

    left: list[list[str]]
    right: list[list[str]]

    @property
    def before(self) -> list[str]:
        """The axes in the order they come in."""
        return [axis for group in self.left for axis in group]

    @property
    def after(self) -> list[str]:
        """The axes in the order they go out, new ones left out."""
        return [axis for group in self.right for axis in group if axis in self.before]

    def merges(self) -> list[list[str]]:
        """Groups that several axes are merged into."""
        return [group for group in self.right if len(group) > 1]

    def moves_merged(self) -> bool:
        """Whether axes are merged that do not lie one behind the other."""
        joined = "|".join(self.before)
        return any(f"|{'|'.join(group)}|" not in f"|{joined}|" for group in self.merges())

    def added(self) -> set[str]:
        """Axes that are not there before."""
        return {axis for group in self.right for axis in group} - set(self.before)


def parse(text: str) -> Pattern | None:
    """The pattern of a text, if it is one."""
    left, arrow, right = text.partition("->")
    return Pattern(_groups(left), _groups(right)) if arrow else None


def _groups(side: str) -> list[list[str]]:
    return [(inner or single).split() for inner, single in TOKEN.findall(side)]


@model("einops.rearrange", "einops.einops.rearrange")
def rearrange(state: State, call: Call) -> Value | None:
    """A view, or a copy where reshape has to move data."""
    tensor, pattern = _given(state, call)
    if tensor is None:
        return None
    return _view(state, tensor, pattern) if _stays(tensor, pattern) else _copy(state, tensor)


def _given(state: State, call: Call) -> tuple[Tensor | None, Pattern | None]:
    """The tensor (a list of them is stacked) and the pattern, if it is a literal."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (ListValue, TupleValue)):
        value = settle(calls.call_path(state, "torch.stack", Call([value])))
    if isinstance(value, Unknown):
        value = unknowns.become_tensor(state, value)
    text = call.get(1, "pattern")
    known = literal(text) if text is not None else None
    pattern = parse(known) if isinstance(known, str) else None
    return (value if isinstance(value, Tensor) else None), pattern


def _stays(tensor: Tensor, pattern: Pattern | None) -> bool:
    if pattern is None:
        return True
    return not (pattern.moves_merged() or (tensor.noncontig and pattern.merges()))


def _view(state: State, tensor: Tensor, pattern: Pattern | None) -> Tensor:
    made = autograd.view(state, tensor, "rearrange")
    if pattern is None:
        made.doubt = made.doubt or "the pattern makes a view"
    else:
        made.noncontig = made.noncontig or pattern.after != pattern.before
    return made


def _copy(state: State, tensor: Tensor) -> Value:
    return calls.call_path(state, "Tensor.clone", Call([tensor]))


@model("einops.repeat", "einops.einops.repeat")
def repeat(state: State, call: Call) -> Value | None:
    """New axes are expanded; merged with others they are copied."""
    tensor, pattern = _given(state, call)
    if tensor is None:
        return None
    added = pattern.added() if pattern is not None else set()
    if pattern is None or any(added & set(group) for group in pattern.merges()):
        return _copy(state, tensor)
    if not _stays(tensor, pattern):
        return _copy(state, tensor)
    made = _view(state, tensor, pattern)
    made.expanded = made.expanded or bool(added)
    return made


@model("einops.reduce", "einops.einops.reduce")
def reduce(state: State, call: Call) -> Value | None:
    """`reduce(x, pattern, "max")` saves what amax does, a mean nothing."""
    tensor, _ = _given(state, call)
    how = call.get(2, "reduction")
    if tensor is None or how is None:
        return None
    name = literal(how)
    if not isinstance(name, str):
        func = settle(how)
        return calls.call(state, func, Call([tensor])) if isinstance(func, External) else None
    row = {"max": "amax", "min": "amin"}.get(name, name)
    return calls.call_path(state, f"Tensor.{row}", Call([tensor]))


@model("einops.einsum", "einops.einops.einsum")
def einsum(state: State, call: Call) -> Value | None:
    """The pattern comes last, its axes have names."""
    if len(call.args) < 2:
        return None
    tensors, text = call.args[:-1], literal(call.args[-1])
    if not isinstance(text, str):
        return None
    return calls.call_path(state, "torch.einsum", Call([Const(_lettered(text)), *tensors]))


def _lettered(text: str) -> str:
    """The pattern with a letter for each name, as torch.einsum wants it."""
    letters: dict[str, str] = {}
    parts = (re.findall(r"\w+", term) for term in re.split(r",|->", text))
    terms = ["".join(letters.setdefault(n, LETTERS[len(letters)]) for n in part) for part in parts]
    return f"{','.join(terms[:-1])}->{terms[-1]}"
