"""Methods of list, tuple, dict, set and str."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import (
    NONE,
    Const,
    DictValue,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    Value,
    is_none,
    literal,
    settle,
)
from inplace_lint.interp import containers, iterate
from inplace_lint.interp.dispatch import Call, model

if TYPE_CHECKING:
    from inplace_lint.interp.state import State


def _list(call: Call) -> ListValue:
    value = settle(call.args[0]) if call.args else NONE
    return value if isinstance(value, ListValue) else ListValue()


def _dict(call: Call) -> DictValue:
    value = settle(call.args[0]) if call.args else NONE
    return value if isinstance(value, DictValue) else DictValue()


@model("list.append", "list.add")
def append(state: State, call: Call) -> Value:
    if len(call.args) > 1:
        _grow(_list(call), [call.args[1]])
    return NONE


def _grow(value: ListValue, more: list[Value]) -> None:
    """Items at the end; a deque with a limit drops as many at its beginning."""
    value.items += more
    if value.limit is not None:
        del value.items[: max(len(value.items) - value.limit, 0)]


@model("list.appendleft")
def append_left(state: State, call: Call) -> Value:
    value = _list(call)
    value.items[:0] = call.args[1:2]
    if value.limit is not None:
        del value.items[value.limit :]
    return NONE


@model("list.extend", "list.update")
def extend(state: State, call: Call) -> Value:
    if len(call.args) > 1:
        _grow(_list(call), iterate.items_for_loop(state, settle(call.args[1])))
    return NONE


@model("list.insert")
def insert(state: State, call: Call) -> Value:
    position = literal(call.args[1]) if len(call.args) > 2 else 0
    if len(call.args) > 2:
        _list(call).items.insert(position if isinstance(position, int) else 0, call.args[2])
    return NONE


@model("list.popleft")
def pop_left(state: State, call: Call) -> Value:
    return pop(state, Call([*call.args[:1], Const(0)]))


@model("list.pop")
def pop(state: State, call: Call) -> Value:
    items = _list(call).items
    position = literal(call.args[1]) if len(call.args) > 1 else -1
    if items:
        return items.pop(
            position if isinstance(position, int) and abs(position) < len(items) else -1
        )
    return _list(call).rest or Unknown(f"value:{state.next()}")


@model("list.clear")
def clear(state: State, call: Call) -> Value:
    _list(call).items.clear()
    return NONE


@model("list.copy", "list.__iter__")
def copy(state: State, call: Call) -> Value:
    value = _list(call)
    return ListValue(list(value.items), value.rest, value.kind)


@model("list.reverse")
def reverse(state: State, call: Call) -> Value:
    _list(call).items.reverse()
    return NONE


@model("list.sort", "list.remove", "list.discard")
def ignore(state: State, call: Call) -> Value:
    return NONE


@model("list.index", "list.count", "tuple.index", "tuple.count", "dict.__len__")
def count(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}")


@model("tuple._asdict")
def as_dict(state: State, call: Call) -> Value:
    value = settle(call.args[0])
    if isinstance(value, TupleValue):
        return DictValue(dict(zip(value.fields, value.items, strict=False)))
    return DictValue()


@model("dict.items")
def items(state: State, call: Call) -> Value:
    value = _dict(call)
    pairs: list[Value] = [TupleValue((Const(k), v)) for k, v in value.entries.items()]
    if value.rest is not None:
        pairs.append(TupleValue((Number(f"value:{state.next()}", "str"), value.rest)))
    return ListValue(pairs)


@model("dict.keys")
def keys(state: State, call: Call) -> Value:
    return ListValue([Const(key) for key in _dict(call).entries])


@model("dict.values")
def values(state: State, call: Call) -> Value:
    value = _dict(call)
    rest = [value.rest] if value.rest is not None else []
    return ListValue([*value.entries.values(), *rest])


@model("dict.get", "dict.__getitem__")
def get(state: State, call: Call) -> Value:
    value, key = _dict(call), _key(call)
    if key is not NotImplemented and key in value.entries:
        return value.entries[key]
    if len(call.args) > 2 and (value.rest is None or not is_none(settle(call.args[2]))):
        return call.args[2]
    if key is NotImplemented and value.entries:
        return next(reversed(value.entries.values()))
    return value.rest or NONE


def _key(call: Call) -> object:
    return containers.hashable(literal(call.args[1])) if len(call.args) > 1 else NotImplemented


@model("dict.setdefault")
def setdefault(state: State, call: Call) -> Value:
    found, key = get(state, call), _key(call)
    if key is not NotImplemented:
        _dict(call).entries.setdefault(key, found)
    return found


@model("dict.pop")
def pop_dict(state: State, call: Call) -> Value:
    found, key = get(state, call), _key(call)
    if key is not NotImplemented:
        _dict(call).entries.pop(key, None)
    return found


@model("dict.update")
def update(state: State, call: Call) -> Value:
    if len(call.args) > 1:
        containers.merge_dict(_dict(call), settle(call.args[1]))
    _dict(call).entries.update(call.keywords)
    return NONE


@model("dict.copy")
def copy_dict(state: State, call: Call) -> Value:
    value = _dict(call)
    return DictValue(dict(value.entries), value.rest)


@model("dict.clear")
def clear_dict(state: State, call: Call) -> Value:
    _dict(call).entries.clear()
    return NONE


FOLDED = "lower upper strip title capitalize startswith endswith replace lstrip rstrip".split()


def _fold(name: str) -> None:
    @model(f"str.{name}")
    def run(state: State, call: Call) -> Value:
        known = [literal(arg) for arg in call.args]
        if all(isinstance(k, str) for k in known):
            try:
                return Const(getattr(known[0], name)(*known[1:]))
            except TypeError:
                pass
        return Number(f"value:{state.next()}", "str")


for _name in FOLDED:
    _fold(_name)


@model("str.split")
def split(state: State, call: Call) -> Value:
    known = [literal(arg) for arg in call.args]
    texts = [k for k in known if isinstance(k, str)]
    if texts and len(texts) == len(known) and "" not in texts[1:]:
        return ListValue(
            [Const(part) for part in texts[0].split(texts[1] if texts[1:] else None)[:12]]
        )
    return ListValue(rest=Number(f"value:{state.next()}", "str"))


@model("str.join", "str.format", "str.encode")
def join(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}", "str")
