"""Functions of the IR: parameters, annotations and a body of ops.

A *unit* of a file (see `source`) is lowered to one Function of kind "module" whose body, when run,
binds the unit's names; a `def` in it is a `MakeFunction` op holding a Function of kind "function".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inplace_lint.ir.ops import Op
    from inplace_lint.source import Unit

POSITIONAL_ONLY, POSITIONAL, VARIADIC, KEYWORD, KEYWORDS = (
    "positional-only",
    "positional",
    "variadic",
    "keyword",
    "keywords",
)


@dataclass(slots=True)
class Annotation:
    """A type as written: `Optional[torch.Tensor]` is ("Optional", (("torch.Tensor", ()),)).

    `X | Y` is ("Union", (X, Y)); a string annotation is read as the type it holds; what is no
    dotted name has the name "".
    """

    name: str
    args: tuple[Annotation, ...] = ()


@dataclass(slots=True)
class Param:
    """A parameter; `kind` is one of the five constants above, `*args` being VARIADIC."""

    name: str
    kind: str
    has_default: bool = False
    annotation: Annotation | None = None


@dataclass(slots=True, eq=False)
class Function:
    """One body of code. `kind`: module, class, function or lambda.

    A class body has its annotated names as `params`, in order: the fields of a dataclass.
    `registers` is how many the body uses; `decorators` are the dotted names as written ("" for
    what is no dotted name); `names` every identifier the body mentions, attributes included,
    nested functions too (for reachability by name); `at` is its place in the unit.
    """

    name: str
    qualname: str
    kind: str
    params: tuple[Param, ...]
    body: list[Op]
    registers: int
    unit: Unit
    at: int
    is_generator: bool = False
    is_async: bool = False
    decorators: tuple[str, ...] = ()
    returns: Annotation | None = None
    names: frozenset[str] = field(default_factory=frozenset)
    inner: list[Function] | None = None
    """functions defined in it at any depth, once somebody has looked for them"""
    written: frozenset[str] | None = None
    """names that it changes in place and that may mean a detached alias, once somebody has asked"""
    lasting: bool | None = None
    """whether running it may leave something behind, once somebody has asked"""


@dataclass(slots=True, unsafe_hash=True)
class Site:
    """A place in the program: the `at` of an op in a unit. `lower.span_of` gives its span.

    It never changes; only it is made so often that a frozen dataclass would cost too much.
    """

    unit: Unit
    at: int
