"""Recurrent modules: what a row can't say of their states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import NONE, Instance, TupleValue, Unknown, Value, settle
from inplace_lint.interp import autograd, containers, unknowns
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.models import library

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


@model("nn.LSTM.forward")
def lstm_forward(state: State, call: Call) -> Value:
    """(output, (h, c)): the row speaks of output and h; c is as fresh as h."""
    obj = settle(call.args[0])
    if not isinstance(obj, Instance):
        return NONE
    value = library.apply_row(state, obj, "nn.LSTM", Call(call.args[1:], call.keywords))
    if not isinstance(value, TupleValue) or len(value.items) != 2:
        return value
    hidden = settle(value.items[1])
    cell = autograd.fresh(state, [], "nn.LSTM")
    if isinstance(hidden, Tensor):
        cell.node, cell.requires, cell.made_up = hidden.node, hidden.requires, hidden.made_up
    return TupleValue((value.items[0], TupleValue((hidden, cell))))


def _cell(name: str) -> None:
    @model(f"nn.{name}.forward")
    def forward(state: State, call: Call) -> Value:
        """The hidden state is multiplied with its weight, so that each is saved for the other."""
        obj = settle(call.args[0])
        if not isinstance(obj, Instance):
            return NONE
        given = call.get(2, "hx")
        hidden = _hidden(state, settle(given) if given is not None else NONE)
        value = library.apply_row(state, obj, f"nn.{name}", Call(call.args[1:], call.keywords))
        _keep(state, obj, hidden, containers.tensors_in(value))
        return value


for _name in ("GRUCell", "RNNCell", "LSTMCell"):
    _cell(_name)


def _hidden(state: State, given: Value) -> Tensor | None:
    """The state h of `h` or `(h, c)`."""
    if isinstance(given, TupleValue) and given.items:
        given = settle(given.items[0])
    if isinstance(given, Unknown):
        given = unknowns.become_tensor(state, given)
    return given if isinstance(given, Tensor) else None


def _keep(state: State, obj: Instance, hidden: Tensor | None, results: list[Tensor]) -> None:
    weight = settle(obj.attrs.get("weight_hh", NONE))
    node = results[0].node if results else None
    if hidden is None or node is None or not isinstance(weight, Tensor):
        return
    pairs = ((hidden, autograd.requires_of(weight)), (weight, autograd.requires_of(hidden)))
    for tensor, needs in pairs:
        if needs is not False:
            autograd.save(state, node, tensor, needs)
