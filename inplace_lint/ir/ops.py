"""The ops of the IR, all of them.

A body is a list of ops over numbered registers, each register written before it is read. Control
flow is structured: `If`, `For`, `While`, `Try` and `With` hold nested bodies, so there are no
labels. Sugar has ended in `lower`: a comprehension is a `For` with `Append`, `a and b` an `If` that
copies, `assert` an `If` that raises, `match` a chain of `If`, decorators are `Call`s.

Every op has `at`, its place in the unit's list of reported positions (`lower.span_of`). An op that
makes a value writes it to register `out`. Concrete ops are never subclassed; a variant is a field.
Slots without `frozen`: creation is the cost here (mypy guards the rest).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

if TYPE_CHECKING:
    from inplace_lint.ir.function import Function

Reg: TypeAlias = int
Literal: TypeAlias = "int | float | complex | str | bytes | bool | EllipsisType | None"

if TYPE_CHECKING:
    from types import EllipsisType


@dataclass(slots=True, eq=False)
class Op:
    """Base of all ops; holds only the position."""

    at: int


# ---- values --------------------------------------------------------------------------------


@final
@dataclass(slots=True, eq=False)
class Const(Op):
    """`3`, `"sum"`, `None`, `...`"""

    out: Reg
    value: Literal


@final
@dataclass(slots=True, eq=False)
class Copy(Op):
    """out = src; joins the sides of `a if c else b` and `a or b`, and stands for `await x`."""

    out: Reg
    src: Reg


@final
@dataclass(slots=True, eq=False)
class Opaque(Op):
    """A value the IR can't describe, made from `uses`; `what` names the construct."""

    out: Reg
    uses: tuple[Reg, ...]
    what: str


@final
@dataclass(slots=True, eq=False)
class LoadName(Op):
    """Reads a name: own scope, enclosing functions, module, builtins, in this order."""

    out: Reg
    name: str


@final
@dataclass(slots=True, eq=False)
class StoreName(Op):
    """Binds a name. `scope`: "local", "global" or "nonlocal"."""

    name: str
    src: Reg
    scope: str = "local"


@final
@dataclass(slots=True, eq=False)
class DeleteName(Op):
    """`del x`"""

    name: str


@final
@dataclass(slots=True, eq=False)
class GetAttr(Op):
    """`obj.name`"""

    out: Reg
    obj: Reg
    name: str


@final
@dataclass(slots=True, eq=False)
class SetAttr(Op):
    """`obj.name = src`"""

    obj: Reg
    name: str
    src: Reg


@final
@dataclass(slots=True, eq=False)
class DelAttr(Op):
    """`del obj.name`"""

    obj: Reg
    name: str


@final
@dataclass(slots=True, eq=False)
class GetItem(Op):
    """`obj[index]`; `a[1:, 2]` has a tuple of a slice and a number as index."""

    out: Reg
    obj: Reg
    index: Reg


@final
@dataclass(slots=True, eq=False)
class SetItem(Op):
    """`obj[index] = src`; `augmented` for the store that ends `obj[index] += v`."""

    obj: Reg
    index: Reg
    src: Reg
    augmented: bool = False


@final
@dataclass(slots=True, eq=False)
class DelItem(Op):
    """`del obj[index]`"""

    obj: Reg
    index: Reg


@final
@dataclass(slots=True, eq=False)
class MakeSlice(Op):
    """`lower:upper:step`, each None when left out."""

    out: Reg
    lower: Reg | None
    upper: Reg | None
    step: Reg | None


@final
@dataclass(slots=True, eq=False)
class Unary(Op):
    """`-x`, `+x`, `~x`, `not x`; `op` is "-", "+", "~" or "not"."""

    out: Reg
    op: str
    value: Reg


@final
@dataclass(slots=True, eq=False)
class Binary(Op):
    """`left * right`; `op` as written: + - * / // % ** @ & | ^ << >>."""

    out: Reg
    op: str
    left: Reg
    right: Reg


@final
@dataclass(slots=True, eq=False)
class InPlace(Op):
    """The value of `target *= value` before it is stored back; `op` as written, without "="."""

    out: Reg
    op: str
    target: Reg
    value: Reg


@final
@dataclass(slots=True, eq=False)
class Compare(Op):
    """`left < right`; `op` as written, also "is", "is not", "in", "not in"."""

    out: Reg
    op: str
    left: Reg
    right: Reg


@final
@dataclass(slots=True, eq=False)
class Arg:
    """An argument of a call: `kind` "positional", "star" (`*a`), "keyword" or "double-star"."""

    kind: str
    value: Reg
    name: str = ""


@final
@dataclass(slots=True, eq=False)
class Call(Op):
    """`func(args)`; a method call is a GetAttr and a Call of what it gave."""

    out: Reg
    func: Reg
    args: tuple[Arg, ...]


@final
@dataclass(slots=True, eq=False)
class MakeTuple(Op):
    """`(a, *b)`; `starred` are the positions in `items` that are unpacked."""

    out: Reg
    items: tuple[Reg, ...]
    starred: tuple[int, ...] = ()


@final
@dataclass(slots=True, eq=False)
class MakeList(Op):
    """`[a, *b]`"""

    out: Reg
    items: tuple[Reg, ...]
    starred: tuple[int, ...] = ()


@final
@dataclass(slots=True, eq=False)
class MakeSet(Op):
    """`{a, *b}`"""

    out: Reg
    items: tuple[Reg, ...]
    starred: tuple[int, ...] = ()


@final
@dataclass(slots=True, eq=False)
class MakeDict(Op):
    """`{k: v, **rest}`; a pair with key None is unpacked."""

    out: Reg
    pairs: tuple[tuple[Reg | None, Reg], ...]


@dataclass(slots=True, eq=False)
class Rows:
    """A tuple, list, set or dict (`kind`) of literals and of such; `keys` are a dict's."""

    kind: str
    items: tuple[Literal | Rows, ...]
    keys: tuple[Literal, ...] = ()


@final
@dataclass(slots=True, eq=False)
class Table(Op):
    """A long display that holds nothing but literals."""

    out: Reg
    rows: Rows


@final
@dataclass(slots=True, eq=False)
class Append(Op):
    """Adds `value` to the list or set a comprehension is building."""

    container: Reg
    value: Reg


@final
@dataclass(slots=True, eq=False)
class Text(Op):
    """An f-string (or t-string) over `parts`, the interpolated values.

    `pieces` are the literal texts around them, one more than parts; () where formats are involved.
    """

    out: Reg
    parts: tuple[Reg, ...]
    pieces: tuple[str, ...] = ()


@final
@dataclass(slots=True, eq=False)
class Unpack(Op):
    """`a, *b, c = value`; `star` is the position in `outs` of the starred target, or -1."""

    outs: tuple[Reg, ...]
    value: Reg
    star: int = -1


@final
@dataclass(slots=True, eq=False)
class MakeFunction(Op):
    """`def` or `lambda`; `defaults` pairs parameter names with registers."""

    out: Reg
    function: Function
    defaults: tuple[tuple[str, Reg], ...] = ()


@final
@dataclass(slots=True, eq=False)
class MakeClass(Op):
    """`class name(bases, keywords):`; running `body` (kind "class") gives the attributes."""

    out: Reg
    name: str
    bases: tuple[Reg, ...]
    keywords: tuple[tuple[str, Reg], ...]
    body: Function


@final
@dataclass(slots=True, eq=False)
class Yield(Op):
    """`yield value`; `out` is what send() gives."""

    out: Reg
    value: Reg


@final
@dataclass(slots=True, eq=False)
class YieldFrom(Op):
    """`yield from value`"""

    out: Reg
    value: Reg


@final
@dataclass(slots=True, eq=False)
class Import(Op):
    """`import a.b as c` gives module a.b; `import a.b` gives a (and loads a.b)."""

    out: Reg
    module: str
    top: bool


@final
@dataclass(slots=True, eq=False)
class ImportFrom(Op):
    """`from ..module import name`; `level` counts the dots."""

    out: Reg
    module: str
    level: int
    name: str


@final
@dataclass(slots=True, eq=False)
class ImportStar(Op):
    """`from module import *`"""

    module: str
    level: int


# ---- control -------------------------------------------------------------------------------


@final
@dataclass(slots=True, eq=False)
class If(Op):
    """Runs one of two bodies by the truth of `cond`."""

    cond: Reg
    then: list[Op]
    orelse: list[Op]


@final
@dataclass(slots=True, eq=False)
class For(Op):
    """Runs `body` for each item of `iterable`; the body begins by storing register `item`."""

    item: Reg
    iterable: Reg
    body: list[Op]
    orelse: list[Op]


@final
@dataclass(slots=True, eq=False)
class While(Op):
    """Runs `test`, then `body` if register `cond` is true, again and again."""

    test: list[Op]
    cond: Reg
    body: list[Op]
    orelse: list[Op]


@final
@dataclass(slots=True, eq=False)
class Handler:
    """`except types as name:`; `test` computes register `types` (None for a bare except)."""

    test: list[Op]
    types: Reg | None
    name: str | None
    body: list[Op]


@final
@dataclass(slots=True, eq=False)
class Try(Op):
    """try/except/else/finally"""

    body: list[Op]
    handlers: tuple[Handler, ...]
    orelse: list[Op]
    final: list[Op]


@final
@dataclass(slots=True, eq=False)
class With(Op):
    """`with manager as ...:`, one manager; the body begins by storing register `entered`."""

    entered: Reg
    manager: Reg
    body: list[Op]


@final
@dataclass(slots=True, eq=False)
class Break(Op):
    """`break`"""


@final
@dataclass(slots=True, eq=False)
class Continue(Op):
    """`continue`"""


@final
@dataclass(slots=True, eq=False)
class Return(Op):
    """`return value`"""

    value: Reg


@final
@dataclass(slots=True, eq=False)
class Raise(Op):
    """`raise value`; None for a bare raise."""

    value: Reg | None


Body: TypeAlias = "list[Op]"
