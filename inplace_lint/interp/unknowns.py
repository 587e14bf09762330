"""Unknown values: their attributes and items (the same object each time), and what they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.requires import Assumption, Requires, either
from inplace_lint.domain.tensor import Node, Tensor
from inplace_lint.domain.values import Number, Unknown
from inplace_lint.interp.autograd import requires_of

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
DATA_NAMES = frozenset(
    "target targets label labels mask masks batch data loader dataloader dataset gt gts "
    "ground_truth index indices idx ids input_ids attention_mask lengths y_true "
    "edge_index data_list grad grads gradient gradients trainloader train_loader "
    "valid_loader test_loader val_loader".split()
)
"""Names of arguments that hold data: they do not require grad."""

DATA_ENDINGS = (
    *("_loader", "_mask", "_labels", "_target", "_label", "_idx", "_index", "_indices", "_ids"),
    *("_lengths", "_ptr", "_rank", "_batch"),
)

NUMBER_NAMES = frozenset("shape device dtype ndim size name layout".split())
NUMBER_ENDINGS = ("_shape", "_size", "_dim", "_ndim", "_dtype", "_device")


def is_data_name(name: str) -> bool:
    """Whether an argument of this name is data, by habit."""
    stem = name.lower().strip("_").rstrip("0123456789").rstrip("_")
    return stem in DATA_NAMES or stem.endswith(DATA_ENDINGS)


def is_number_name(name: str) -> bool:
    """Whether an attribute or key of this name holds a number, a size or a setting."""
    return name in NUMBER_NAMES or name.endswith(NUMBER_ENDINGS)


def attribute(state: State, owner: Unknown, name: str) -> Value:
    """An attribute of an unknown object."""
    known = owner.attrs.get(name)
    if known is None:
        known = owner.attrs[name] = _attribute(owner, name)
    return known


def _attribute(owner: Unknown, name: str) -> Value:
    key = f"{owner.key}.{name}"
    plain = name.strip("[]'\"")
    if is_number_name(plain):
        return Number(key)
    shown = f"{owner.name}.{name}" if owner.name else name
    assume = owner.assume and Assumption("attribute", shown)
    data = owner.origin == "data" or is_data_name(plain) or _is_setting(owner, plain)
    return Unknown(
        key,
        "data" if data else "attribute",
        shown,
        None if data else assume,
        doubt=owner.doubt,
        operands=() if data else owner.operands,
        site=owner.site,
        inference=owner.inference,
        inside=owner.inside,
    )


CONFIGURATIONS = frozenset("cfg config conf hparams settings".split())


def _is_setting(owner: Unknown, name: str) -> bool:
    """Whether it is a configuration, or what one holds."""
    last = owner.name.rpartition(".")[2]
    return not CONFIGURATIONS.isdisjoint((name.strip("_"), last.strip("_")))


def item(state: State, owner: Unknown, position: int) -> Value:
    """An item of an unknown container, by position."""
    slot = f"[{position}]"
    known = owner.attrs.get(slot)
    if known is None:
        known = Unknown(
            f"{owner.key}{slot}",
            owner.origin,
            f"{owner.name}{slot}" if owner.name else "",
            owner.assume,
            doubt=owner.doubt,
            operands=owner.operands,
            site=owner.site,
            inference=owner.inference,
            inside=owner.inside,
        )
        owner.attrs[slot] = known
    return known


def become_tensor(state: State, unknown: Unknown, doubt: str | None = None) -> Tensor:
    """The unknown value is used as a tensor, so it is one from now on."""
    if unknown.inside and unknown.name.rpartition(".")[2] in PARAMETERS:
        return _parameter(unknown)
    requires = _requires(unknown)
    tensor = Tensor(
        requires=requires,
        made=unknown.site,
        maker="call" if unknown.operands else "argument",
        made_up=True,
        doubt=doubt or unknown.doubt,
        name=unknown.name or None,
        inference=unknown.inference,
    )
    if requires is not False:
        edges = [operand.node or operand for operand in unknown.operands]
        site = unknown.site or state.here()
        op = PART if unknown.key.endswith("]") or "." in unknown.key else "call"
        tensor.node = Node(state.next(), op, site, requires, list(edges), made_up=True)
    unknown.become = tensor
    return tensor


PART = "part"
"""The op of a node of what was taken out of an unknown result: another part may share no graph."""


PARAMETERS = frozenset({"weight", "bias"})


def _parameter(unknown: Unknown) -> Tensor:
    """`layer.bias` of a layer that is not in view."""
    unknown.become = made = Tensor(
        requires=frozenset({Assumption("weights", unknown.name.rpartition(".")[0])}),
        maker="nn.Parameter",
        role="parameter",
        dtype="float",
        made_up=True,
        name=unknown.name,
    )
    return made


def doubt_tensor(name: str | None) -> str:
    """The doubt about what is used as a tensor, and may be an array or a number."""
    return f"`{name or 'it'}` is a tensor"


def confirm_tensor(tensor: Tensor) -> None:
    """A module of PyTorch takes it, which takes tensors alone."""
    if tensor.doubt == doubt_tensor(tensor.name):
        tensor.doubt = None


def _requires(unknown: Unknown) -> Requires:
    if unknown.origin == "data":
        return False
    own = frozenset({unknown.assume}) if unknown.assume is not None else False
    return either([own, *map(requires_of, unknown.operands)])


def result(state: State, name: str, operands: list[Tensor], given: bool = True) -> Unknown:
    """What an unknown callee returned, tracked by the tensors that went in.

    `given`: whether anything that may be a tensor went in; nothing in, nothing to differentiate.
    """
    site = state.here()
    tracked = tuple(t for t in operands if requires_of(t) is not False) if state.modes.grad else ()
    assume = Assumption("result", name) if state.modes.grad and (tracked or given) else None
    made = Unknown(f"value:{state.next()}", "result", name, assume, operands=tracked, site=site)
    made.inference = state.modes.inference
    return made
