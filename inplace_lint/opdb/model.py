"""A row of the rule table, as the interpreter reads it.

    {"id": "mul_.Tensor", "api": ["Tensor.mul_", "op:*="], "sig": ["self", "other"],
     "saves": ["other if self"], "clones": ["self if other"], "mut": ["self"], "ret": "is self"}

*Entity*: what an entry speaks of: a parameter (`self`), the result (`ret`, `ret.1`), an attribute
of the module that is called (`self.weight`). `if A|B`: only when A or B requires grad; no `if`:
whenever the result requires grad. `when COND`: only if the literal test holds. rules/README.md
explains each word of a row; `parse` builds these objects and rejects what is malformed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


TORCH = "2.13.0"
"""The torch whose behaviour the shipped rows tell."""


class _Missing(Enum):
    """Values that are not there: a type of their own, which no literal has."""

    REQUIRED = "required"
    UNKNOWN = "unknown"


REQUIRED = _Missing.REQUIRED
"""The default of a parameter that has none."""
UNKNOWN = _Missing.UNKNOWN
"""What a literal lookup answers for a value that is not known."""

Known = object
"""A Python literal (number, str, bool, None, tuple of these), `UNKNOWN` or "<tensor>"."""


@dataclass(slots=True)
class Param:
    """`name[|alias][:kind][=default]` of a `sig`; after "*" the parameters are keyword-only.

    Kinds: tensor (when left out), tensors (a list of them), num, int, bool, str, ints, dtype, any.
    """

    name: str
    kind: str = "tensor"
    default: Known = REQUIRED
    keyword_only: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is REQUIRED


@dataclass(slots=True)
class Entity:
    """`base` is "param", "ret" or "attr"; `index` is the n of `ret.n`, else -1."""

    base: str
    name: str
    index: int = -1


@dataclass(slots=True)
class Condition:
    """A literal test over parameters (or `self.training`), e.g. `inplace and p!=0`.

    `holds(lookup)` is True, False, or None when a needed literal is unknown; `lookup(name)` gives
    the literal bound to a parameter or attribute ("p", "self.training"), or UNKNOWN. A bound tensor
    is given as the string "<tensor>".
    """

    text: str
    test: Callable[[Callable[[str], Known]], bool | None]

    def holds(self, lookup: Callable[[str], Known]) -> bool | None:
        """Evaluate the test, three-valued."""
        return self.test(lookup)


@dataclass(slots=True)
class Entry:
    """One word of `saves`, `clones`, `mut` or `mut_silent`."""

    entity: Entity
    needs: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(slots=True)
class Returns:
    """One alternative of `ret`. `how`: new, is, view, views, alias, raw; `entity` is what of."""

    how: str
    entity: Entity | None = None
    when: Condition | None = None


@dataclass(slots=True)
class Remark:
    """What no reading of the code decides: saves of `entities` ("*": all) are then doubtful."""

    text: str
    entities: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(slots=True)
class OpRule:
    """One row. Empty `saves` is a claim like any other: nothing is saved.

    ret          alternatives in order; the first whose `when` is not False is taken, and where more
                 than one stays possible the interpreter treats the aliasing as undecided
    results      number of results (more than one: a tuple), -1 for a list of unknown length
    fields       names of the results where PyTorch gives a named tuple
    first_when   a call gives the first result alone where this holds (`not return_indices`)
    diff         per result, whether it carries a gradient
    dtype        "bool", "int", "float", "complex", "" (like the first tensor argument)
    creates      a factory: the result never requires grad unless `requires_grad=True` is given
    number       the result is a Python number, size or flag, never a tensor
    expands      the result may have elements that share memory (stride 0)
    noncontig    the result may not be contiguous (then contiguous()/reshape copy)
    overlap_ok   this write is accepted on an expanded tensor
    no_derivative  not differentiable: `out=` is allowed, the result has no graph
    owns_number  the node keeps a Python number: it counts as an entry when the graph is freed
    maybe        what no static analysis decides; findings that rest on it are "possible"
    backends     by backend, what is saved there instead
    """

    id: str
    api: tuple[str, ...]
    sig: tuple[Param, ...]
    saves: tuple[Entry, ...] = ()
    clones: tuple[Entry, ...] = ()
    mut: tuple[Entry, ...] = ()
    mut_silent: tuple[Entry, ...] = ()
    ret: tuple[Returns, ...] = (Returns("new"),)
    results: int = 1
    fields: tuple[str, ...] = ()
    first_when: Condition | None = None
    diff: tuple[bool, ...] = (True,)
    dtype: str = ""
    creates: bool = False
    number: bool = False
    expands: bool = False
    noncontig: bool = False
    overlap_ok: bool = False
    no_derivative: bool = False
    owns_number: bool = False
    maybe: tuple[Remark, ...] = ()
    kind: str = "op"
    """op, module, optimizer or boundary"""
    init: tuple[Param, ...] = ()
    """modules and optimizers: the constructor's signature"""
    params: tuple[Entry, ...] = ()
    """modules: the parameters it owns (`weight`, `bias when bias`), as "attr" entities"""
    buffers: tuple[Entry, ...] = ()
    backends: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    since: str = ""
    until: str = ""
    example: str = ""
    src: str = ""
