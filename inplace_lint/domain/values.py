"""Abstract values other than tensors.

A value is known (`Const`, containers, functions, classes, instances), an `External` (something of
a library, by its dotted path), a `Number` (an unknown scalar: never a tensor), or `Unknown`. An
Unknown that is used as a tensor or a module *becomes* one: every holder of it then sees the same
object (`settle`). `key` is the symbol of an unknown value; conditions on equal keys are decided
alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.domain.tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.domain.requires import Assumption
    from inplace_lint.domain.rounds import Rounds
    from inplace_lint.ir.function import Function, Site


@dataclass(slots=True, eq=False)
class Counted:
    """A value that hangs on which round of a loop it is: `compute` gives that of any round."""

    loop: Rounds
    number: int
    compute: Callable[[int], object]


@dataclass(slots=True, eq=False)
class Const:
    """A Python literal; `of` tells how it follows from the round of a loop not run in full."""

    value: object
    of: Counted | None = None


@dataclass(slots=True, eq=False)
class Number:
    """An unknown number, bool, string, size, dtype or the like; `kind` says which, "" if unknown.

    `usual` is the likelier truth of a condition (`x is None` is usually false), None where neither
    is. `fact`, of a condition, notes what its truth says about other values.
    """

    key: str
    kind: str = ""
    usual: bool | None = None
    fact: Callable[[bool], None] | None = None


@dataclass(slots=True, eq=False)
class Unknown:
    """Anything. `assume` is what must hold for it to require grad once it is taken for a tensor.

    origin  "argument", "attribute", "result", "data" (never requires grad), "module"
    path    the dotted library path it came from, for words
    """

    key: str
    origin: str = "result"
    name: str = ""
    assume: Assumption | None = None
    become: Value | None = None
    attrs: dict[str, Value] = field(default_factory=dict)
    doubt: str | None = None
    operands: tuple[Tensor, ...] = ()
    """tensors that went into the unknown call that made it: its graph leads to them"""
    site: Site | None = None
    inference: bool = False
    """made in inference mode"""
    inside: bool = False
    """it is a module that another one holds, or was reached through one"""
    given: bool = False
    """it is an optional argument of which the path says that it is given: it is not None"""


@dataclass(slots=True, eq=False)
class ListValue:
    """A list, set or deque; `rest` stands for further items of unknown number.

    `more`: what gives the items behind these, for a loop; `limit` is a deque's maxlen.
    """

    items: list[Value] = field(default_factory=list)
    rest: Value | None = None
    kind: str = "list"
    more: Rounds | None = None
    limit: int | None = None


@dataclass(slots=True, eq=False)
class TupleValue:
    """A tuple; `fields` names the items of a named tuple."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()
    owner: Tensor | None = None


@dataclass(slots=True, eq=False)
class DictValue:
    """A dict by literal key; `rest` stands for entries under unknown keys.

    `factory` makes what a defaultdict lacks.
    """

    entries: dict[object, Value] = field(default_factory=dict)
    rest: Value | None = None
    factory: Value | None = None


@dataclass(slots=True, eq=False)
class SliceValue:
    """`lower:upper:step`"""

    lower: Value | None
    upper: Value | None
    step: Value | None


@dataclass(slots=True, eq=False)
class Env:
    """Names of one scope, and the scope around it."""

    names: dict[str, Value]
    parent: Env | None = None


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function in view, with the environment it closes over."""

    function: Function
    env: Env | None
    scope: object
    defaults: dict[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = None
    modes: tuple[str, ...] = ()
    attrs: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Bound:
    """A callable with its receiver: a method, or a library function looked up on a value."""

    func: Value
    receiver: Value


@dataclass(slots=True, eq=False)
class Partial:
    """functools.partial"""

    func: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(slots=True, eq=False)
class Native:
    """A callable that a model implements in Python: `run(state, call) -> Value`."""

    name: str
    run: Callable[..., Value]


@dataclass(slots=True, eq=False)
class External:
    """Something of a library or builtin, by dotted path: `torch.nn.functional.relu`."""

    path: str


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module of the project; `scope` is the interpreter's ModuleScope."""

    scope: object
    name: str


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class in view; `mro` holds ClassValue and External in method resolution order."""

    name: str
    bases: tuple[Value, ...]
    attrs: dict[str, Value]
    scope: object
    function: Function
    mro: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class in view, or of a library class whose constructor is modelled.

    `native` is a model's own payload (parameter groups of an optimizer, a grad-mode guard ...).
    """

    cls: Value
    attrs: dict[str, Value] = field(default_factory=dict)
    native: object | None = None
    made_up: bool = False
    name: str = ""
    init: dict[str, Value] = field(default_factory=dict)
    """constructor arguments, of a library class"""
    made: Site | None = None


@dataclass(slots=True, eq=False)
class Super:
    """`super()`: attributes are looked up behind `owner` in the receiver's classes."""

    owner: ClassValue
    receiver: Value


@dataclass(slots=True, eq=False)
class Property:
    """property, cached_property (`cached`); `setter` when there is one."""

    getter: Value
    setter: Value | None = None
    cached: bool = False


@dataclass(slots=True, eq=False)
class Wrapped:
    """staticmethod or classmethod; `kind` says which."""

    kind: str
    func: Value


Value: TypeAlias = (
    "Tensor | Const | Number | Unknown | ListValue | TupleValue | DictValue | SliceValue | "
    "FunctionValue | Bound | Partial | Native | External | ModuleValue | ClassValue | Instance | "
    "Super | Property | Wrapped"
)

NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


def settle(value: Value) -> Value:
    """What an Unknown has become, through every step; other values as they are."""
    while type(value) is Unknown and value.become is not None:
        value = value.become
    return value


def is_none(value: Value) -> bool:
    """Whether it is the literal None."""
    return type(value) is Const and value.value is None


def literal(value: Value | None) -> object:
    """The Python value of a Const, of tuples and lists of Consts too; NotImplemented if unknown."""
    if value is None:
        return NotImplemented
    value = settle(value)
    if type(value) is Const:
        return value.value
    if isinstance(value, (TupleValue, ListValue)):
        items = [literal(item) for item in value.items]
        known = all(item is not NotImplemented for item in items)
        return tuple(items) if known and getattr(value, "rest", None) is None else NotImplemented
    return NotImplemented
