"""Python's builtins, as far as values flow through them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Number,
    Partial,
    Property,
    Super,
    TupleValue,
    Unknown,
    Value,
    Wrapped,
    literal,
    settle,
)
from inplace_lint.interp import attributes, calls, containers, operators, unknowns
from inplace_lint.interp.describe import describe
from inplace_lint.interp.dispatch import Call, model
from inplace_lint.interp.truth import truth

if TYPE_CHECKING:
    from inplace_lint.interp.state import State

CALLABLE = (FunctionValue, Bound, External, ClassValue, Partial)


@model("builtins.reveal")
def reveal(state: State, call: Call) -> Value:
    """For tests: notes what the interpreter knows of a value."""
    for value in call.args:
        state.shared.revealed.append((state.here(), describe(settle(value))))
    return call.args[0] if call.args else NONE


@model("builtins.super")
def super_(state: State, call: Call) -> Value:
    """super() of the running method, or super(cls, obj)."""
    if len(call.args) >= 2:
        cls, obj = settle(call.args[0]), settle(call.args[1])
        if isinstance(cls, ClassValue):
            return Super(cls, obj)
    for frame in reversed(state.frames):
        if frame.owner is not None and frame.receiver is not None:
            return Super(frame.owner, frame.receiver)
    return Unknown(f"value:{state.next()}")


@model("builtins.range")
def range_(state: State, call: Call) -> Value:
    """The first rounds of a known range; of an unknown one as many unknown numbers."""
    bounds = [literal(arg) for arg in call.args]
    if bounds and all(isinstance(b, int) for b in bounds):
        return _known_range(state, [b for b in bounds if isinstance(b, int)])
    first = bounds[0] if len(bounds) > 1 and isinstance(bounds[0], int) else 0
    if len(bounds) <= 1 or isinstance(bounds[0], int):
        step = bounds[2] if len(bounds) > 2 and isinstance(bounds[2], int) else 1
        items = [Const(first + n * step) for n in range(containers.RANGE)]
        return ListValue(list(items), kind="range")
    return ListValue([Number(f"value:{state.next()}") for _ in range(2)], kind="range")


def _known_range(state: State, bounds: list[int]) -> Value:
    """All of a short range; the first rounds of a longer one, a number standing for the others."""
    try:
        known = range(*bounds)
    except (TypeError, ValueError):
        known = range(containers.RANGE)
    longer = len(known) > containers.WHOLE
    shown = known[: containers.RANGE] if longer else known
    made = ListValue([Const(n) for n in shown], kind="range")
    made.longer = longer
    return made


@model("builtins.len")
def len_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Instance) and isinstance(value.native, (ListValue, DictValue)):
        value = value.native
    if isinstance(value, ListValue) and value.rest is None and value.kind != "range":
        return Const(len(value.items))
    if isinstance(value, TupleValue) and value.owner is None:
        return Const(len(value.items))
    if isinstance(value, DictValue) and value.rest is None:
        return Const(len(value.entries))
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(len(value.value))
    key = value.key if isinstance(value, (Unknown, Number)) else str(state.next())
    return Number(f"len:{key}", "")


@model("builtins.isinstance")
def isinstance_(state: State, call: Call) -> Value:
    """Decided where the class is in view; otherwise a symbol of value and class."""
    if len(call.args) < 2:
        return Number(f"value:{state.next()}", "bool")
    value, cls = settle(call.args[0]), settle(call.args[1])
    classes = cls.items if isinstance(cls, (TupleValue, ListValue)) else (cls,)
    answers = [_is_instance(value, settle(one)) for one in classes]
    if True in answers:
        return TRUE
    if None not in answers:
        return FALSE
    if isinstance(value, Unknown):
        shown = ",".join(
            getattr(settle(c), "path", getattr(settle(c), "name", "?")) for c in classes
        )
        return Number(f"isinstance({value.key},{shown})", "bool")
    return Number(f"value:{state.next()}", "bool")


TYPES: dict[str, type] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "list": ListValue,
    "tuple": TupleValue,
    "dict": DictValue,
    "set": ListValue,
}


def _is_instance(value: Value, cls: Value) -> bool | None:
    if isinstance(value, Unknown):
        return None
    path = cls.path if isinstance(cls, External) else ""
    if isinstance(value, Tensor):
        tensor = path in {"torch.Tensor", "torch.nn.Parameter", "torch.nn.parameter.Parameter"}
        if path.endswith("Parameter"):
            return value.role == "parameter" or (None if value.made_up else False)
        return tensor
    name = path.removeprefix("builtins.")
    if isinstance(value, Const):
        return (
            isinstance(value.value, TYPES[name])
            if name in {"int", "float", "str", "bool"}
            else False
        )
    if isinstance(value, Number):
        return (
            None
            if name in TYPES or path.startswith(("numbers.", "numpy", "typing", "collections"))
            else False
        )
    if isinstance(value, (ListValue, TupleValue, DictValue)):
        return _is_container(value, name, path)
    if isinstance(value, Instance):
        return _has_class(value, cls)
    if isinstance(value, CALLABLE):
        return None if "Callable" in path or "Function" in path else False
    return None


def _is_container(value: Value, name: str, path: str) -> bool:
    kind = TYPES.get(name)
    if kind is ListValue and isinstance(value, ListValue):
        return (value.kind == "set") == (name == "set")
    abstract = path.rpartition(".")[2] in {"Sequence", "Iterable", "Mapping", "Collection"}
    return (kind is not None and isinstance(value, kind)) or abstract


def _has_class(value: Instance, cls: Value) -> bool | None:
    classes = attributes.classes_of(value)
    for one in classes:
        if one is cls:
            return True
        if isinstance(one, External) and isinstance(cls, External):
            if _last(one) == _last(cls):
                return True
            if _last(cls) == "Module" and one.path.startswith("torch.nn"):
                return True
    foreign = any(isinstance(one, (External, Unknown)) for one in classes)
    known = all(not isinstance(one, External) or one.path.startswith("torch.") for one in classes)
    return False if isinstance(cls, (ClassValue, External)) and (known or not foreign) else None


def _last(cls: External) -> str:
    return cls.path.rpartition(".")[2]


@model("builtins.type")
def type_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Tensor):
        return External("torch.Tensor")
    return Unknown(f"value:{state.next()}")


@model("builtins.issubclass")
def issubclass_(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}", "bool")


@model("builtins.callable")
def callable_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (*CALLABLE, Partial)):
        return TRUE
    if isinstance(value, (Const, Number, ListValue, DictValue, TupleValue, Tensor)):
        return FALSE
    return Number(
        f"callable:{value.key}" if isinstance(value, Unknown) else f"value:{state.next()}", "bool"
    )


@model("builtins.getattr")
def getattr_(state: State, call: Call) -> Value:
    obj, name = settle(call.args[0]), literal(call.args[1]) if len(call.args) > 1 else None
    if not isinstance(name, str):
        return Unknown(f"value:{state.next()}", "attribute")
    if len(call.args) > 2 and isinstance(obj, Instance) and not has_attribute(obj, name):
        return call.args[2]
    return attributes.get(state, obj, name)


def has_attribute(obj: Instance, name: str) -> bool:
    """Whether an object in view surely has it."""
    if name in obj.attrs:
        return True
    return any(isinstance(c, ClassValue) and name in c.attrs for c in attributes.classes_of(obj))


@model("builtins.hasattr")
def hasattr_(state: State, call: Call) -> Value:
    obj, name = settle(call.args[0]), literal(call.args[1]) if len(call.args) > 1 else None
    if isinstance(obj, Instance) and isinstance(name, str):
        if has_attribute(obj, name):
            return TRUE
        ours = all(isinstance(c, ClassValue) or _is_torch(c) for c in attributes.classes_of(obj))
        return FALSE if ours and not obj.made_up else Number(f"hasattr:{name}", "bool")
    key = f"hasattr:{obj.key}.{name}" if isinstance(obj, Unknown) else f"value:{state.next()}"
    return Number(key, "bool")


def _is_torch(cls: Value) -> bool:
    return isinstance(cls, External) and cls.path.startswith(("torch.", "builtins."))


@model("builtins.setattr")
def setattr_(state: State, call: Call) -> Value:
    if len(call.args) == 3:
        name = literal(call.args[1])
        if isinstance(name, str):
            attributes.put(state, settle(call.args[0]), name, call.args[2])
    return NONE


@model("builtins.zip")
def zip_(state: State, call: Call) -> Value:
    columns = [containers.items_for_loop(state, settle(arg)) for arg in call.args]
    if not columns:
        return ListValue([])
    return ListValue([TupleValue(row) for row in zip(*columns, strict=False)])


@model("builtins.enumerate")
def enumerate_(state: State, call: Call) -> Value:
    items = containers.items_for_loop(state, settle(call.args[0])) if call.args else []
    start = literal(call.get(1, "start") or Const(0))
    first = start if isinstance(start, int) else 0
    return ListValue([TupleValue((Const(n), item)) for n, item in enumerate(items, first)])


@model("builtins.map")
def map_(state: State, call: Call) -> Value:
    columns = [containers.items_for_loop(state, settle(arg)) for arg in call.args[1:]]
    made = [calls.call(state, call.args[0], Call(list(row))) for row in zip(*columns, strict=False)]
    return ListValue(made)


@model("builtins.filter")
def filter_(state: State, call: Call) -> Value:
    items = containers.items_for_loop(state, settle(call.args[1])) if len(call.args) > 1 else []
    test = settle(call.args[0])
    if test is NONE or isinstance(test, Const):
        return ListValue(items)
    kept = []
    for item in items:
        known = truth(state, calls.call(state, test, Call([item])))
        if known is not False:
            kept.append(item)
    return ListValue(kept)


@model("builtins.reversed")
def reversed_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return value
    return ListValue(containers.items_for_loop(state, value)[::-1])


@model("builtins.sorted")
def sorted_(state: State, call: Call) -> Value:
    return ListValue(containers.items_for_loop(state, settle(call.args[0])) if call.args else [])


@model("builtins.list", "builtins.set", "builtins.frozenset", "collections.deque")
def list_(state: State, call: Call) -> Value:
    return ListValue(_all_items(state, call))


def _all_items(state: State, call: Call) -> list[Value]:
    value = settle(call.args[0]) if call.args else ListValue()
    return list(containers.items_for_loop(state, value))


@model("builtins.tuple", "torch.Size")
def tuple_(state: State, call: Call) -> Value:
    return TupleValue(tuple(_all_items(state, call)))


@model("builtins.iter")
def iter_(state: State, call: Call) -> Value:
    return call.args[0] if call.args else NONE


@model("builtins.next")
def next_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    items = containers.items_for_loop(state, value)
    if isinstance(value, ListValue) and value.items and value.kind == "generator":
        return value.items.pop(0)
    return items[0] if items else Unknown(f"value:{state.next()}")


@model("builtins.sum")
def sum_(state: State, call: Call) -> Value:
    """start + a + b ...: each `+` is an op of its own."""
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        return calls.call_path(state, "Tensor.sum", Call([value]))
    total: Value = settle(call.get(1, "start") or Const(0))
    for item in containers.items_for_loop(state, value):
        total = settle(operators.binary(state, "+", total, settle(item)))
    return total


@model("builtins.min", "builtins.max")
def min_max(state: State, call: Call) -> Value:
    values = [settle(arg) for arg in call.args]
    known = [literal(v) for v in values]
    if len(values) == 1 and not isinstance(values[0], (Tensor, Unknown)):
        items = containers.items_for_loop(state, values[0])
        return items[0] if items else Number(f"value:{state.next()}")
    if any(isinstance(v, Tensor) for v in values):
        return next(v for v in values if isinstance(v, Tensor))
    numbers = [k for k in known if isinstance(k, (int, float))]
    if len(numbers) == len(known) and numbers:
        return Const(numbers[0]) if len(numbers) == 1 else Number(f"value:{state.next()}")
    return Number(f"value:{state.next()}")


@model("builtins.any", "builtins.all")
def any_all(state: State, call: Call) -> Value:
    return Number(f"value:{state.next()}", "bool")


@model("builtins.abs")
def abs_(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (Tensor, Unknown)):
        return calls.call_path(state, "Tensor.abs", Call([value]))
    return Number(f"value:{state.next()}")


@model("builtins.pow")
def pow_(state: State, call: Call) -> Value:
    return operators.binary(state, "**", settle(call.args[0]), settle(call.args[1]))


@model("builtins.divmod")
def divmod_(state: State, call: Call) -> Value:
    return TupleValue((Number(f"value:{state.next()}"), Number(f"value:{state.next()}")))


@model(
    "builtins.int",
    "builtins.float",
    "builtins.round",
    "builtins.complex",
    "builtins.hash",
    "builtins.id",
)
def number(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else Const(0)
    if isinstance(value, Const) and isinstance(value.value, int):
        return value
    if isinstance(value, Unknown) and value.operands == ():
        return Number(f"number:{value.key}")
    return Number(f"value:{state.next()}")


@model("builtins.bool")
def bool_(state: State, call: Call) -> Value:
    known = truth(state, call.args[0]) if call.args else False
    return Const(known) if known is not None else Number(f"value:{state.next()}", "bool")


@model(
    "builtins.str",
    "builtins.repr",
    "builtins.format",
    "builtins.bytes",
    "builtins.input",
    "builtins.chr",
)
def text(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else Const("")
    if isinstance(value, Const) and isinstance(value.value, (str, int)):
        return Const(str(value.value))
    return Number(f"value:{state.next()}", "str")


@model("builtins.print", "builtins.exit", "builtins.open", "builtins.delattr")
def nothing(state: State, call: Call) -> Value:
    return NONE


@model("builtins.dict", "collections.OrderedDict")
def dict_(state: State, call: Call) -> Value:
    made = DictValue()
    given = settle(call.args[0]) if call.args else NONE
    if isinstance(given, (ListValue, TupleValue)):
        for pair in given.items:
            key, value = containers.items_for_unpack(state, settle(pair), 2, -1)[:2]
            containers.put(made, key, value)
    else:
        containers.merge_dict(made, given)
    made.entries.update(call.keywords)
    return made


@model("collections.defaultdict")
def defaultdict(state: State, call: Call) -> Value:
    made = DictValue()
    if call.args and settle(call.args[0]) is not NONE:
        made.rest = calls.call(state, call.args[0], Call([]))
    return made


@model("builtins.slice")
def slice_(state: State, call: Call) -> Value:
    from inplace_lint.domain.values import SliceValue

    parts: list[Value | None] = list(call.args[:3])
    bounds = [None, *parts, None] if len(parts) == 1 else [*parts, None, None]
    return SliceValue(*bounds[:3])


# ---- decorators ----------------------------------------------------------------------------


@model("builtins.staticmethod", "abc.abstractstaticmethod")
def wrapped(state: State, call: Call) -> Value:
    return Wrapped("staticmethod", call.args[0]) if call.args else NONE


@model("builtins.classmethod", "abc.abstractclassmethod")
def classmethod_(state: State, call: Call) -> Value:
    return Wrapped("classmethod", call.args[0]) if call.args else NONE


@model("builtins.property", "functools.cached_property", "abc.abstractproperty")
def property_(state: State, call: Call) -> Value:
    return Property(call.args[0]) if call.args else NONE


@model("contextlib.contextmanager")
def contextmanager(state: State, call: Call) -> Value:
    func = settle(call.args[0]) if call.args else NONE
    if isinstance(func, FunctionValue):
        return dataclasses.replace(func, modes=("contextmanager", *func.modes))
    return func


@model("functools.partial")
def partial(state: State, call: Call) -> Value:
    return Partial(call.args[0], tuple(call.args[1:]), dict(call.keywords)) if call.args else NONE


@model(
    "functools.lru_cache",
    "functools.cache",
    "abc.abstractmethod",
    "typing.overload",
    "typing.final",
    "typing_extensions.override",
    "typing.override",
    "torch.jit.ignore",
    "torch.jit.export",
    "torch.jit.unused",
    "torch.jit.script",
    "torch.jit.script_method",
    "torch.compile",
    "torch.compiler.disable",
    "torch._dynamo.disable",
    "torch.fx.wrap",
    "torch.cuda.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "torch.autograd.function.once_differentiable",
    "numba.jit",
    "typing.cast",
)
def transparent(state: State, call: Call) -> Value:
    """Decorators that leave the function as it is, with or without arguments of their own."""
    from inplace_lint.domain.values import Native

    values = [settle(arg) for arg in call.args]
    if values and isinstance(values[-1], (*CALLABLE, Wrapped, Instance)):
        return values[-1]
    if len(values) == 2:
        return values[1]
    return Native("decorator", lambda _state, inner: inner.args[0])


@model("functools.wraps")
def wraps(state: State, call: Call) -> Value:
    from inplace_lint.domain.values import Native

    return Native("wraps", lambda _state, inner: inner.args[0])


@model("functools.reduce")
def reduce(state: State, call: Call) -> Value:
    items = containers.items_for_loop(state, settle(call.args[1])) if len(call.args) > 1 else []
    total = call.args[2] if len(call.args) > 2 else (items.pop(0) if items else NONE)
    for item in items:
        total = calls.call(state, call.args[0], Call([total, item]))
    return total


@model("dataclasses.dataclass", "attr.s", "attrs.define", "attr.dataclass", "flax.struct.dataclass")
def dataclass(state: State, call: Call) -> Value:
    """`__init__` from the annotated names of the class body."""
    from inplace_lint.domain.values import Native

    def mark(_state: State, inner: Call) -> Value:
        cls = settle(inner.args[0])
        if isinstance(cls, ClassValue):
            names = tuple(param.name for param in cls.function.params)
            cls.attrs["<fields>"] = TupleValue((), names)
        return cls

    return mark(state, call) if call.args else Native("dataclass", mark)


@model("dataclasses.field")
def field(state: State, call: Call) -> Value:
    if "default" in call.keywords:
        return call.keywords["default"]
    return Instance(External("dataclasses.Field"), init=dict(call.keywords))


@model("copy.deepcopy")
def deepcopy(state: State, call: Call) -> Value:
    """A copy of everything; tensors get memory of their own."""
    from inplace_lint.interp.models import copying

    return copying.deep(state, call.args[0], {}) if call.args else NONE


@model("copy.copy")
def copy_(state: State, call: Call) -> Value:
    """Shallow: a tensor's copy shares memory, with a counter of its own."""
    from inplace_lint.interp import autograd

    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, Tensor):
        made = autograd.alias(state, value, shares_counter=False)
        made.requires = value.requires if value.node is None else False
        return made
    if isinstance(value, ListValue):
        return ListValue(list(value.items), value.rest, value.kind)
    if isinstance(value, DictValue):
        return DictValue(dict(value.entries), value.rest)
    return value


@model("itertools.chain", "itertools.chain.from_iterable")
def chain(state: State, call: Call) -> Value:
    items: list[Value] = []
    for arg in call.args:
        value = settle(arg)
        parts = containers.items_for_loop(state, value)
        items += parts
    return ListValue(items)


@model("itertools.repeat", "itertools.cycle")
def repeat(state: State, call: Call) -> Value:
    value = settle(call.args[0]) if call.args else NONE
    if isinstance(value, (ListValue, TupleValue)):
        return ListValue(containers.items_for_loop(state, value))
    return ListValue([value, value])


@model("itertools.product", "itertools.combinations", "itertools.permutations")
def product(state: State, call: Call) -> Value:
    columns = [containers.items_for_loop(state, settle(a))[:2] for a in call.args]
    if len(columns) == 1:
        columns = columns * 2
    return ListValue([TupleValue(row) for row in zip(*columns, strict=False)])


@model("operator.itemgetter", "operator.attrgetter")
def getter(state: State, call: Call) -> Value:
    return unknowns.result(state, "getter", [])
