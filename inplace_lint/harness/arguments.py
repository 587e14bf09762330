"""Arguments that entries are called with: from defaults, annotations, names and use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.domain.requires import Assumption
from inplace_lint.domain.values import (
    NONE,
    ClassValue,
    Const,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    Number,
    Unknown,
    Value,
    is_none,
    settle,
)
from inplace_lint.harness import usage, world
from inplace_lint.interp import lookup, ownership, unknowns
from inplace_lint.interp.dispatch import Call
from inplace_lint.interp.truth import CALLS, RETURNS
from inplace_lint.ir.function import KEYWORD, KEYWORDS, VARIADIC

if TYPE_CHECKING:
    from inplace_lint.harness.survey import Survey
    from inplace_lint.interp.state import State
    from inplace_lint.ir.function import Annotation, Param

NUMBERS = {"int": "", "float": "", "bool": "bool", "str": "str", "complex": "", "Number": ""}
TENSORS = frozenset(
    "Tensor torch.Tensor FloatTensor th.Tensor torch.FloatTensor Parameter nn.Parameter".split()
)
DATA_TYPES = frozenset("LongTensor BoolTensor IntTensor torch.LongTensor torch.BoolTensor".split())
ARRAYS = frozenset(
    "np.ndarray numpy.ndarray ndarray torch.device torch.dtype torch.Size Path".split()
)
LISTS = frozenset("list List Sequence Iterable typing.List Collection Iterator Tuple tuple".split())
WRAPPERS = frozenset("Optional Union typing.Optional Final Annotated ClassVar".split())
OPEN = "open:"
"""Begins the key of the decision whether an option may differ from its default."""
GIVEN = "given:"
"""Begins the key of the decision whether an optional argument is given."""


@dataclass(slots=True)
class Request:
    """What one parameter's value is made for."""

    param: Param
    default: Value | None
    trains: bool
    """the function itself, or its class, calls backward(): its tensors are data"""
    main: bool
    """the first tensor argument of a forward()"""
    number: bool
    """a constructor's argument: a number unless its use says otherwise"""
    uses: frozenset[str]
    arrays: bool
    """the file works on numpy's arrays"""


@dataclass(slots=True)
class Given:
    """Arguments for one call."""

    args: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)


def anew(state: State) -> None:
    """The next call is given other tensors and data; models and objects stay the same."""
    for name, value in list(state.world.items()):
        if isinstance(value, Unknown) and value.origin in {"argument", "data"}:
            del state.world[name]


def for_function(state: State, plan: Survey, func: FunctionValue, skip: int = 0) -> Given:
    """Arguments of a function (or of a static method)."""
    return _for(state, plan, func, skip, number=False)


def for_method(state: State, plan: Survey, func: FunctionValue, obj: Instance) -> Given:
    """Arguments of a method, `self` apart; names of the instance stand for the same objects."""
    state.world.setdefault("self", obj)
    groups = obj.attrs.get("param_groups") if lookup.is_optimizer_class(obj.cls) else None
    if isinstance(groups, ListValue) and groups.items:
        state.world.setdefault("group", groups.items[0])
    return _for(state, plan, func, 1, number=False)


def for_constructor(state: State, plan: Survey, cls: ClassValue) -> Call:
    """Arguments of `__init__`, or of the fields of a dataclass."""

    init = lookup.find_method(cls, "__init__")
    if init is None:
        return Call([])
    given = _for(state, plan, init, 1, number=True)
    params = init.function.params[1:2]
    if lookup.is_optimizer_class(cls) and given.args and _may_be_params(given.args[0], *params):
        weights = [ownership.trained_weight(state, "params") for _ in range(ROUNDS)]
        given.args[0] = ListValue(list(weights))
    return Call(given.args, given.keywords)


ROUNDS = 2
"""So many parameters a made-up optimizer owns: what one leaves behind may meet the next."""


def _may_be_params(value: Value, param: Param) -> bool:
    """What an optimizer is built over; one around another optimizer takes that instead."""
    words = (param.name, param.annotation.name if param.annotation is not None else "")
    wraps = any("optim" in word.lower() for word in words)
    return isinstance(settle(value), (Number, Unknown)) and not wraps


def _for(state: State, plan: Survey, func: FunctionValue, skip: int, number: bool) -> Given:
    given = Given()
    function = func.function
    trains = "backward" in function.names or (func.owner is not None and _trains(func.owner))
    uses = usage.uses_of(function)
    first = True
    for param in function.params[skip:]:
        if param.kind == VARIADIC:
            given.args += _variadic(state, param, uses)
            continue
        if param.kind == KEYWORDS:
            continue
        main = first and function.name in {"forward", "__call__", "training_step"}
        request = Request(
            param,
            func.defaults.get(param.name),
            trains,
            main,
            number,
            uses.get(param.name, frozenset()),
            plan.on_arrays,
        )
        value = _value(state, plan, request)
        first = first and not _may_be_tensor(value)
        if param.kind == KEYWORD:
            given.keywords[param.name] = value
        else:
            given.args.append(value)
    return given


def _trains(cls: ClassValue) -> bool:
    """Whether a class that is no module trains one: what it is given is data."""
    if lookup.is_module_class(cls):
        return False
    methods = [value for base in cls.mro for value in getattr(base, "attrs", {}).values()]
    return any(isinstance(m, FunctionValue) and "backward" in m.function.names for m in methods)


def _may_be_tensor(value: Value) -> bool:
    return not isinstance(settle(value), (Const, Number, Instance))


def _variadic(state: State, param: Param, uses: dict[str, frozenset[str]]) -> list[Value]:  # noqa: ARG001
    """`*args`: one unknown."""
    return [
        Unknown(f"arg:*{param.name}", "argument", param.name, Assumption("argument", param.name))
    ]


def _value(state: State, plan: Survey, request: Request) -> Value:
    if unknowns.is_data_name(request.param.name):
        _forget(state, request.param.name)
    param, default = request.param, request.default
    if default is not None:
        if not is_none(settle(default)):
            return _option(state, param.name, default)
        weight = CALLS if request.number else RETURNS
        if param.name == "out" or not state.decide(f"{GIVEN}{param.name}", False, weight):
            return NONE
    made = _made(state, plan, request)
    if isinstance(made, Unknown):
        made.given = default is not None
    return made


def _made(state: State, plan: Survey, request: Request) -> Value:
    """By annotation, else by name and use."""
    param = request.param
    if param.annotation is not None:
        made = from_annotation(state, plan, request, param.annotation)
        if made is not None:
            if isinstance(made, Instance):
                state.world[param.name] = made
            return made
    return _by_name(state, plan, request)


def _option(state: State, name: str, default: Value) -> Value:
    """A default; on a path that leaves options open, a flag or a zero stands for any value."""
    value = settle(default)
    if type(value) is not Const or not isinstance(value.value, (bool, int, float)):
        return default
    is_flag = isinstance(value.value, bool)
    if (is_flag or value.value == 0) and state.decide(f"{OPEN}{name}", False, 0):
        return Number(f"arg:{name}", "bool" if is_flag else "", bool(value.value))
    return default


def from_annotation(
    state: State, plan: Survey, request: Request, annotation: Annotation
) -> Value | None:
    """A value of the annotated type; None where the annotation says nothing."""
    name = request.param.name
    kind = annotation.name
    last = kind.rpartition(".")[2]
    if kind in WRAPPERS or last in WRAPPERS:
        inner = [a for a in annotation.args if a.name not in {"None", ""}]
        inner.sort(key=lambda a: a.name not in TENSORS)
        return from_annotation(state, plan, request, inner[0]) if inner else None
    if kind in NUMBERS:
        return Number(f"arg:{name}", NUMBERS[kind])
    if kind in ARRAYS or last in {"ndarray", "device", "dtype"}:
        return Number(f"arg:{name}")
    if kind in DATA_TYPES:
        tensor = unknowns.become_tensor(state, Unknown(f"arg:{name}", "data", name))
        tensor.dtype = "bool" if "Bool" in kind else "int"
        return tensor
    if kind in TENSORS or last == "Tensor":
        return unknowns.become_tensor(state, argument(request))
    if last in LISTS:
        return _list(state, plan, request, annotation)
    if last in {"dict", "Dict", "Mapping"}:
        return DictValue(rest=argument(request))
    return _of_class(state, plan, request, kind)


def _list(state: State, plan: Survey, request: Request, annotation: Annotation) -> Value:
    """Two items of the annotated type."""
    if not annotation.args:
        return argument(request)
    items = []
    for n in range(2):
        one = from_annotation(
            state, plan, request, annotation.args[min(n, len(annotation.args) - 1)]
        )
        items.append(one if one is not None else argument(request))
    return ListValue(items)


def _of_class(state: State, plan: Survey, request: Request, kind: str) -> Value | None:
    """An instance of a class in view, or of a known kind of library class."""
    last = kind.rpartition(".")[2]
    found = world.instance_of(state, plan, last)
    if found is not None:
        return found
    if last in {"Module", "LightningModule", "PreTrainedModel", "Sequential"}:
        if request.number and not world.is_model_name(request.param.name):
            return world.generic_model(state, request.param.name)
        return world.model(state, plan, request.param.name, required=True)
    if last in {"Optimizer", "Adam", "SGD", "AdamW"}:
        return Unknown(f"arg:{request.param.name}", "argument", request.param.name)
    if last == "DataLoader":
        return Unknown(f"arg:{request.param.name}", "data", request.param.name)
    return None


def argument(request: Request) -> Unknown:
    """An argument of unknown type, and what it takes for it to require grad."""
    name = request.param.name
    if request.arrays or unknowns.is_data_name(name):
        return Unknown(f"arg:{name}", "data", name)
    if request.trains:
        return Unknown(f"arg:{name}", "argument", name)
    return Unknown(f"arg:{name}", "argument", name, Assumption("argument", name, request.main))


def _by_name(state: State, plan: Survey, request: Request) -> Value:
    """By name and use: an object of the world, a number, a model, data, or unknown."""
    name = request.param.name
    known = state.world.get(name)
    if known is not None:
        return known
    if name in world.OUTPUT_NAMES and world.is_loss(state.entry) and not request.number:
        shown = world.output(state, plan)
        if shown is not None:
            return shown
    made = world.by_name(state, plan, name, request.uses, request.number)
    if made is None:
        made = _plain(request)
    if not (request.number and isinstance(made, Number)):  # `x` may be a size here, a tensor there
        state.world[name] = made
    return made


def _forget(state: State, name: str) -> None:
    """The next call gets another such object: no two rounds see the same batch."""
    known = state.world.pop(name, None)
    if isinstance(known, Instance) and isinstance(known.cls, ClassValue):
        state.world.pop(known.cls.name, None)


def _plain(request: Request) -> Value:
    name = request.param.name
    if request.number and not usage.looks_like_object(name, request.uses):
        return Number(f"arg:{name}")
    return argument(request)
