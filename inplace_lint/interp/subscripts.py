"""`x[i]`, `x[i] = v`, `del x[i]` on tensors and containers.

A tensor read by ints, slices, None, ... is a view; by a mask, an index tensor or a list a copy that
saves the index. Writing likewise: copy_ into the view, or index_put_.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inplace_lint.domain.memory import Counter, Memory
from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    NONE,
    ClassValue,
    Const,
    DictValue,
    Instance,
    ListValue,
    Number,
    SliceValue,
    TupleValue,
    Unknown,
    literal,
    settle,
)
from inplace_lint.interp import (
    acts,
    autograd,
    containers,
    findings,
    geometry,
    lookup,
    ownership,
    regions,
    unknowns,
    views,
)
from inplace_lint.interp.dispatch import Call

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
BASIC, ADVANCED, UNSURE = "basic", "advanced", "unsure"


def kind_of(index: Value) -> str:
    """Whether an index makes a view or a copy."""
    parts = index.items if isinstance(index, TupleValue) else (index,)
    kinds = {_part(settle(part)) for part in parts}
    if ADVANCED in kinds:
        return ADVANCED
    return UNSURE if UNSURE in kinds else BASIC


def _part(part: Value) -> str:
    if isinstance(part, Tensor):
        return BASIC if part.ndim == 0 and part.dtype != "bool" else ADVANCED
    if isinstance(part, (ListValue, TupleValue)):
        return ADVANCED
    if isinstance(part, Const):
        return ADVANCED if isinstance(part.value, bool) else BASIC
    if isinstance(part, Unknown):
        return UNSURE
    return BASIC


def index_tensors(index: Value) -> list[Tensor]:
    """Tensors used as index: they are saved."""
    return containers.tensors_in(index, 1)


# ---- reading -------------------------------------------------------------------------------


def get(state: State, obj: Value, index: Value) -> Value:
    """`obj[index]`"""
    if isinstance(obj, Tensor):
        return read_tensor(state, obj, index)
    if isinstance(obj, (ListValue, TupleValue)):
        return _read_sequence(state, obj, index)
    if isinstance(obj, DictValue):
        return _read_dict(state, obj, index)
    if isinstance(obj, Instance):
        return _read_instance(state, obj, index)
    if isinstance(obj, Unknown):
        return _read_unknown(state, obj, index)
    if isinstance(obj, ClassValue):
        return _read_class(obj, index)
    if isinstance(obj, Number):
        return Number(f"{obj.key}[{literal(index)!r}]"[:80])
    if isinstance(obj, Const) and isinstance(obj.value, (str, bytes)):
        return Number(f"value:{state.next()}", "str")
    return Unknown(f"value:{state.next()}")


def read_tensor(state: State, tensor: Tensor, index: Value) -> Value:
    """A view, or a copy that saves the index tensors."""
    kind = kind_of(index)
    if kind == BASIC:
        view = autograd.view(state, tensor, "select" if isinstance(index, Const) else "slice")
        view.region = regions.of_index(tensor, index)
        view.noncontig = tensor.noncontig or regions.moves(index)
        view.ndim = regions.dimensions(tensor.ndim, index)
        geometry.give(view, geometry.of_index(tensor.geometry, index))
        return view
    made = autograd.fresh(state, [tensor], "[...]")
    requires = autograd.any_requires(state, [tensor])
    if requires is not False:
        node = autograd.new_node(state, "index", requires, [tensor])
        made.node, made.requires = node, requires
        for used in index_tensors(index):
            autograd.save(state, node, used)
    if kind == UNSURE:
        made.doubt = made.doubt or "the index makes a copy"
    return made


def _read_sequence(state: State, obj: ListValue | TupleValue, index: Value) -> Value:
    if isinstance(index, SliceValue):
        known = _known_slice(index)
        items = list(obj.items) if known is None else list(obj.items)[known]
        return TupleValue(tuple(items)) if isinstance(obj, TupleValue) else ListValue(items)
    position = literal(index)
    if isinstance(position, int) and -len(obj.items) <= position < len(obj.items):
        return obj.items[position]
    if isinstance(obj, ListValue) and obj.rest is not None:
        return obj.rest
    if obj.items and isinstance(position, int) and isinstance(obj, ListValue):
        return obj.items[-1]
    if isinstance(obj, TupleValue) and obj.owner is not None and isinstance(position, int):
        return views.sibling(obj.items[0])
    if obj.items and position is NotImplemented:
        return obj.items[-1]
    return Unknown(f"value:{state.next()}")


def _known_slice(index: SliceValue) -> slice | None:
    """The slice where all of its bounds are known."""
    parts = (index.lower, index.upper, index.step)
    known = [None if part is None else literal(part) for part in parts]
    bounds = [bound for bound in known if bound is None or isinstance(bound, int)]
    return slice(*bounds) if len(bounds) == len(parts) else None


def _read_dict(state: State, obj: DictValue, index: Value) -> Value:
    key = containers.hashable(literal(index))
    if key is not NotImplemented and key in obj.entries:
        return obj.entries[key]
    if obj.factory is not None:
        return _make_missing(state, obj, key)
    if key is NotImplemented and obj.entries and not _is_registry(obj):
        return next(reversed(obj.entries.values()))
    if obj.rest is None:
        return Unknown(f"value:{state.next()}")
    return obj.rest if key is NotImplemented else _one_of_many(state, obj, obj.rest, key)


def _one_of_many(state: State, obj: DictValue, rest: Value, key: object) -> Value:
    """What stands under a key, where one value stands for all: no two keys share an object."""
    rest = settle(rest)
    made = rest
    if isinstance(rest, Unknown):
        made = unknowns.attribute(state, rest, f"[{key!r}]")
    elif isinstance(rest, Tensor) and any(settle(v) is rest for v in obj.entries.values()):
        made = replace(rest, memory=Memory(), counter=Counter(), base=None, seen=0)
    obj.entries[key] = made
    return made


def _is_registry(obj: DictValue) -> bool:
    """Whether a dict offers layers or functions of PyTorch by name: which one is asked for, if the
    name is not known, no entry tells.
    """
    paths = {getattr(settle(value), "path", None) for value in obj.entries.values()}
    return len(paths) > 1 and None not in paths


def _read_class(obj: ClassValue, index: Value) -> Value:
    """`Act["RELU"]` of an enum; a generic class with its types is the class."""
    name = literal(index)
    return obj.attrs.get(name, obj) if isinstance(name, str) else obj


def _make_missing(state: State, obj: DictValue, key: object) -> Value:
    """What a defaultdict puts under a key that it lacks; one value for all unknown keys."""
    if key is NotImplemented and obj.rest is not None:
        return obj.rest
    made = acts.call(state, obj.factory or NONE, Call([]))
    if key is NotImplemented:
        obj.rest = made
    else:
        obj.entries[key] = made
    return made


def _read_instance(state: State, obj: Instance, index: Value) -> Value:
    if isinstance(obj.native, Tensor):
        return obj if kind_of(index) == BASIC else Number(f"value:{state.next()}")
    if isinstance(obj.native, TupleValue):
        return _read_sequence(state, obj.native, index)
    if isinstance(obj.native, (ListValue, DictValue)):
        found = get(state, obj.native, index)
        return found if not isinstance(index, SliceValue) else Instance(obj.cls, native=found)
    method = lookup.find_method(obj, "__getitem__")
    if method is not None:
        return acts.call_method(state, obj, method, [index])
    return Unknown(f"value:{state.next()}")


def _read_unknown(state: State, obj: Unknown, index: Value) -> Value:
    """By number or string: an item of its own; sliced by a tuple: it is a tensor."""
    if isinstance(index, TupleValue) and any(_slices(settle(part)) for part in index.items):
        return read_tensor(state, unknowns.become_tensor(state, obj), index)
    key = literal(index)
    if isinstance(key, int):
        return unknowns.item(state, obj, key)
    if isinstance(key, str):
        return unknowns.attribute(state, obj, f"[{key!r}]")
    if isinstance(index, Tensor):
        return read_tensor(state, unknowns.become_tensor(state, obj), index)
    return unknowns.item(state, obj, state.next())


def _slices(part: Value) -> bool:
    return isinstance(part, SliceValue) or (isinstance(part, Const) and part.value in {None, ...})


# ---- writing -------------------------------------------------------------------------------


def put(state: State, obj: Value, index: Value, value: Value, augmented: bool) -> None:
    """`obj[index] = value`"""
    if isinstance(obj, Tensor) and isinstance(literal(index), str):
        obj.doubt = "it is a tensor in spite of a string index"
        return
    if isinstance(obj, Tensor):
        write_tensor(state, obj, index, settle(value), augmented)
        return
    if isinstance(obj, Unknown) and _is_tensor_write(index, settle(value)):
        doubt = unknowns.doubt_tensor(obj.name)
        write_tensor(
            state, unknowns.become_tensor(state, obj, doubt), index, settle(value), augmented
        )
        return
    if isinstance(obj, ListValue):
        _write_list(obj, index, value)
    elif isinstance(obj, DictValue):
        containers.put(obj, index, value)
    elif isinstance(obj, Unknown):
        key = literal(index)
        slot = f"[{key!r}]" if isinstance(key, (int, str)) else None
        if slot is not None:
            obj.attrs[slot] = value
    elif isinstance(obj, Instance):
        _write_instance(state, obj, index, value)


def _is_tensor_write(index: Value, value: Value) -> bool:
    """Whether this store can only be one into a tensor (or array)."""
    sliced = isinstance(index, TupleValue) and any(_slices(settle(p)) for p in index.items)
    return (
        sliced
        or isinstance(index, Tensor)
        or (isinstance(index, SliceValue) and isinstance(value, Tensor))
    )


def _write_list(obj: ListValue, index: Value, value: Value) -> None:
    position = literal(index)
    if isinstance(position, int) and -len(obj.items) <= position < len(obj.items):
        obj.items[position] = value
    else:
        obj.rest = value


def _write_instance(state: State, obj: Instance, index: Value, value: Value) -> None:
    if isinstance(obj.native, Tensor):
        autograd.write_silently(state, obj.native, "[...] =", "memory")
        return

    if isinstance(obj.native, (ListValue, DictValue)):
        put(state, obj.native, index, ownership.kept(state, obj, value), augmented=False)
        return
    method = lookup.find_method(obj, "__setitem__")
    if method is not None:
        acts.call_method(state, obj, method, [index, value])


def write_tensor(state: State, tensor: Tensor, index: Value, value: Value, augmented: bool) -> None:
    """copy_ into a view (a number is copied as a 0-dim tensor), or index_put_."""
    if isinstance(value, Unknown):
        value = unknowns.become_tensor(state, value, unknowns.doubt_tensor(value.name))
    kind = kind_of(index)
    source = [value] if isinstance(value, Tensor) else []
    if kind == ADVANCED:
        _index_put(state, tensor, index, source)
        return
    target = value if augmented and _same_view(value, tensor) else None
    if regions.is_whole(index):
        view = tensor
    else:
        view = target if isinstance(target, Tensor) else read_view(state, tensor, index)
    recorded = autograd.any_requires(state, [view, *source])
    mutator = "[...] ="
    if not autograd.check_inplace(state, view, recorded, mutator):
        return
    if source and source[0] is not view and regions.overlap(view, source[0]):
        findings.immediate(state, "overlap", view, True, mutator)
    if view.expanded and not regions.is_row(index):
        findings.immediate(state, "overlap", view, True, mutator)
    node = None
    if recorded is not False:
        node = autograd.new_node(
            state, "copy_", recorded, [view, *(t for t in source if t is not view)]
        )
    autograd.bump(state, view, mutator)
    if node is not None:
        autograd.record(state, view, node)


def read_view(state: State, tensor: Tensor, index: Value) -> Tensor:
    """The view that a basic index makes; one of unknown kind is taken for basic."""
    view = autograd.view(state, tensor, "slice")
    view.region = regions.of_index(tensor, index)
    geometry.give(view, geometry.of_index(tensor.geometry, index))
    return view


def _same_view(value: Value, tensor: Tensor) -> bool:
    return isinstance(value, Tensor) and value.counter is tensor.counter


def _index_put(state: State, tensor: Tensor, index: Value, source: list[Tensor]) -> None:
    recorded = autograd.any_requires(state, [tensor, *source])
    mutator = "[...] ="
    if not autograd.check_inplace(state, tensor, recorded, mutator):
        return
    shared = any(regions.meet(tensor, used) for used in source)
    if shared or (tensor.expanded and recorded is not False):
        findings.immediate(state, "overlap", tensor, True, mutator)
    node = None
    if recorded is not False:
        node = autograd.new_node(state, "index_put_", recorded, [tensor, *source])
        for used in index_tensors(index):
            autograd.save(state, node, used)
    autograd.bump(state, tensor, mutator)
    if node is not None:
        autograd.record(state, tensor, node)


def delete(obj: Value, index: Value) -> None:
    """`del obj[index]`; a slice with unknown bounds takes all."""
    if isinstance(obj, ListValue) and isinstance(index, SliceValue):
        known = _known_slice(index)
        del obj.items[slice(None) if known is None else known]
        obj.rest = None
        return
    key = containers.hashable(literal(index))
    if isinstance(obj, DictValue) and key is not NotImplemented:
        obj.entries.pop(key, None)
    elif (
        isinstance(obj, ListValue)
        and isinstance(key, int)
        and -len(obj.items) <= key < len(obj.items)
    ):
        del obj.items[key]
