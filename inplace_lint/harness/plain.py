"""Mutation sites that can't be on a tensor, shown by syntax alone: each is a proof, no guess.

A local name, or an attribute of `self`, is *plain* when everything its code ever stores there is a
number, a text, a container or what a function of the standard library gives. The proof is the
greatest one: while a name is being asked about, its own value (`n = n + 1`) counts as plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inplace_lint import lower
from inplace_lint.interp import attributes
from inplace_lint.ir import ops
from inplace_lint.ir.function import KEYWORDS, VARIADIC, Function
from inplace_lint.ir.walk import all_functions, walk
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.ir.function import Annotation
    from inplace_lint.source import SourceFile

TEXT, CONTAINER, PLAIN, ANY = "text", "container", "plain", "any"
"""What a value is; `ANY` that of the name under proof; None is a value that may be a tensor."""
NOT_PLUS_TENSOR = frozenset({TEXT, CONTAINER})
"""What PyTorch refuses on the right of `tensor +=`."""

BUILTINS = {
    **dict.fromkeys("len int float bool ord isinstance hasattr id hash range".split(), PLAIN),
    **dict.fromkeys("str repr format chr bytes".split(), TEXT),
    **dict.fromkeys("dict list set tuple frozenset sorted bytearray".split(), CONTAINER),
}
STANDARD = frozenset("math time os re json random collections itertools logging sys".split())
LIBRARIES = ("torch", "numpy")
MEASURES = frozenset("shape ndim size numel dim".split())
"""Attributes and methods of a tensor or an array that give numbers."""
ANNOTATIONS = {
    **dict.fromkeys("int float bool complex".split(), PLAIN),
    **dict.fromkeys("str bytes".split(), TEXT),
    **dict.fromkeys("dict Dict list List set Set tuple Tuple defaultdict".split(), CONTAINER),
}
TEXT_METHODS = frozenset("join format replace strip lower upper title rstrip lstrip".split())


@dataclass(slots=True, eq=False)
class Facts:
    """What one function's code says of its registers and names."""

    function: Function
    owner: Function | None
    """the class whose method it is"""
    made: dict[int, list[ops.Op]] = field(default_factory=dict)
    stores: dict[str, list[int]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    """names that something else may bind, too"""
    items: dict[int, int] = field(default_factory=dict)
    """the item of a loop, and what it goes over"""


class Proof:
    """The proofs about one file; facts of a function are gathered once."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._facts: dict[Function, Facts] = {}
        self._asked: dict[tuple[object, str], str] = {}
        """names and attributes under proof, and what they are taken to hold meanwhile"""
        self._proven: dict[tuple[object, str], str | None] = {}
        """what names hold; kept only where nothing was taken for granted"""

    def of(self, function: Function, owner: Function | None, op: ops.Op) -> bool:
        """Whether a mutation site can't be on a tensor."""
        facts = self._of(function, owner)
        rule = RULES.get(type(op))
        return rule is not None and rule(self, facts, op)

    def _of(self, function: Function, owner: Function | None) -> Facts:
        known = self._facts.get(function)
        if known is None:
            known = self._facts[function] = gather(function, owner)
        return known

    def kind(self, facts: Facts, register: int) -> str | None:
        """What a register holds on every way; None where it may be a tensor."""
        found = [self._of_op(facts, op, register) for op in facts.made.get(register, [])]
        return joined(found)

    def _of_op(self, facts: Facts, op: ops.Op, register: int) -> str | None:
        shown = displayed(op)
        if shown is not None:
            return shown
        rule = KINDS.get(type(op))
        if rule is not None:
            return rule(self, facts, op)
        if isinstance(op, ops.Unpack):
            return self._unpacked(facts, op, register)
        if isinstance(op, ops.For):
            called = self.called(facts, facts.items[register])
            return PLAIN if called == "range" else None
        return None

    def _unpacked(self, facts: Facts, op: ops.Unpack, register: int) -> str | None:
        """`b, c = x.shape`, `for i, x in enumerate(xs)`."""
        if self.measures(facts, op.value):
            return PLAIN
        looped = facts.items.get(op.value)
        first = op.outs[:1] == (register,)
        return PLAIN if looped is not None and first and self._counts(facts, looped) else None

    def _counts(self, facts: Facts, register: int) -> bool:
        return self.called(facts, register) == "enumerate"

    def called(self, facts: Facts, register: int) -> str | None:
        """The name of the builtin whose result a register holds."""
        made = facts.made.get(register, [])
        call = made[0] if len(made) == 1 else None
        if not isinstance(call, ops.Call):
            return None
        func = facts.made.get(call.func, [])
        name = func[0].name if len(func) == 1 and isinstance(func[0], ops.LoadName) else None
        return name if name is not None and self._is_free(facts, name) else None

    def _is_free(self, facts: Facts, name: str) -> bool:
        """Whether nothing in view binds a name."""
        return name not in facts.stores and name not in facts.open and not self.bound(name)

    def bound(self, name: str) -> bool:
        """Whether the file binds a name."""
        return name in self.file.bindings

    def measures(self, facts: Facts, register: int) -> bool:
        """Whether a register holds a shape, or what a method that measures gave."""
        made = facts.made.get(register, [])
        op = made[0] if len(made) == 1 else None
        if isinstance(op, ops.Call):
            made = facts.made.get(op.func, [])
            op = made[0] if len(made) == 1 else None
        return isinstance(op, ops.GetAttr) and op.name in MEASURES

    def of_name(self, facts: Facts, name: str) -> str | None:
        """What a name holds, by everything that is ever stored in it."""
        asked = (facts.function, name)
        if asked in self._asked:
            return self._asked[asked]
        if name in facts.open:
            return None
        if self._asked:
            return self._of_stores(facts, name)
        if asked not in self._proven:
            self._proven[asked] = self._of_stores(facts, name)
        return self._proven[asked]

    def _of_stores(self, facts: Facts, name: str) -> str | None:
        asked = (facts.function, name)
        stored = facts.stores.get(name, [])
        kinds = [self._param(facts, name)] if self._is_param(facts, name) else []
        if not stored and not kinds:
            return self._global(name) if facts.function.kind != "module" else None
        begun = joined([*kinds, *self._begun(facts, stored)])
        for taken in (begun, ANY) if begun in NOT_PLUS_TENSOR else (ANY,):
            self._asked[asked] = taken
            found = joined([*kinds, *(self.kind(facts, register) for register in stored)])
            del self._asked[asked]
            if taken in {ANY, found}:
                return found
        return None

    def _begun(self, facts: Facts, stored: list[int]) -> list[str]:
        """What the displays among the stores are: what the name begins with."""
        made = (op for register in stored for op in facts.made.get(register, []))
        return [kind for kind in map(displayed, made) if kind is not None]

    def _is_param(self, facts: Facts, name: str) -> bool:
        return any(param.name == name for param in facts.function.params)

    def _param(self, facts: Facts, name: str) -> str | None:
        param = next(param for param in facts.function.params if param.name == name)
        if param.kind in {KEYWORDS, VARIADIC}:
            return CONTAINER
        return annotated(param.annotation)

    def _global(self, name: str) -> str | None:
        """What a module-level name holds, where one statement binds it and nothing declares it."""
        units = self.file.bindings.get(name, [])
        if len(units) != 1 or units[0].kind != "statement":
            return None
        if re.search(rf"\bglobal\b.*\b{re.escape(name)}\b", self.file.text):
            return None
        try:
            function = lower.lower_unit(units[0])
        except SourceError:
            return None
        return self.of_name(self._of(function, None), name)

    def of_attribute(self, facts: Facts, name: str) -> str | None:
        """What `self.name` holds, by everything its class stores in an attribute so called."""
        owner = facts.owner
        if owner is None:
            return None
        if (owner, name) in self._asked:
            return self._asked[owner, name]
        self._asked[owner, name] = ANY
        try:
            return self._stored(owner, name)
        finally:
            del self._asked[owner, name]

    def _stored(self, owner: Function, name: str) -> str | None:
        kinds: list[str | None] = []
        for function in all_functions(owner):
            facts = self._of(function, owner)
            for op in walk(function.body):
                if isinstance(op, ops.Const) and op.value == name:
                    return None  # register_buffer(name, ...), setattr(self, name, ...)
                if isinstance(op, ops.SetAttr) and op.name == name:
                    kinds.append(self.kind(facts, op.src))
                if function is owner and isinstance(op, ops.StoreName) and op.name == name:
                    kinds.append(self.kind(facts, op.src))
        known = joined(kinds)
        return None if known == ANY else known

    def library(self, facts: Facts, register: int) -> str | None:
        """The library module a dotted name begins at, through the file's own imports."""
        made = facts.made.get(register, [])
        op = made[0] if len(made) == 1 else None
        if isinstance(op, ops.GetAttr):
            return self.library(facts, op.obj)
        if not isinstance(op, ops.LoadName) or op.name in facts.stores or op.name in facts.open:
            return None
        units = self.file.bindings.get(op.name, [])
        found = [imported(unit.lowered, op.name) for unit in units if lowered(unit)]
        return found[0] if len(found) == len(units) == 1 else None


def lowered(unit: Any) -> bool:
    """Whether a unit can be lowered; it is then."""
    try:
        lower.lower_unit(unit)
    except SourceError:
        return False
    return True


def imported(function: object, name: str) -> str | None:
    """The top module that an import statement binds a name from."""
    if not isinstance(function, Function):
        return None
    for op in walk(function.body):
        if isinstance(op, ops.Import):
            return op.module.partition(".")[0]
        if isinstance(op, ops.ImportFrom) and op.level == 0:
            top = op.module.partition(".")[0]
            return top if name.islower() else None
    return None


def gather(function: Function, owner: Function | None) -> Facts:
    """Walk a function once."""
    facts = Facts(function, owner)
    for op in walk(function.body):
        for register in _outs(op):
            facts.made.setdefault(register, []).append(op)
        if isinstance(op, ops.For):
            facts.items[op.item] = op.iterable
        elif isinstance(op, ops.StoreName):
            facts.stores.setdefault(op.name, []).append(op.src)
            if op.scope != "local":
                facts.open.add(op.name)
        elif isinstance(op, ops.Try):
            facts.open.update(handler.name for handler in op.handlers if handler.name)
    for inner in all_functions(function):
        facts.open.update(_declared(inner) if inner is not function else ())
    return facts


def _declared(function: Function) -> set[str]:
    """Names a nested function stores in an enclosing one."""
    stores = (op for op in walk(function.body) if isinstance(op, ops.StoreName))
    return {op.name for op in stores if op.scope != "local"}


def _outs(op: ops.Op) -> tuple[int, ...]:
    if isinstance(op, ops.Unpack):
        return op.outs
    if isinstance(op, ops.For):
        return (op.item,)
    if isinstance(op, ops.With):
        return (op.entered,)
    out = getattr(op, "out", None)
    return (out,) if out is not None else ()


DISPLAYS = {
    ops.Text: TEXT,
    **dict.fromkeys((ops.MakeList, ops.MakeTuple, ops.MakeSet, ops.MakeDict, ops.Table), CONTAINER),
}


def displayed(op: ops.Op) -> str | None:
    """What a literal or a display is."""
    if isinstance(op, ops.Const):
        return TEXT if isinstance(op.value, (str, bytes)) else PLAIN
    return DISPLAYS.get(type(op))


def joined(kinds: list[str | None]) -> str | None:
    """What a value is that may be any of these."""
    distinct = set(kinds)
    if not distinct or None in distinct:
        return None
    distinct.discard(ANY)
    if not distinct:
        return ANY
    return distinct.pop() if len(distinct) == 1 else PLAIN


def annotated(annotation: Annotation | None) -> str | None:
    """What an annotation says a value is."""
    if annotation is None:
        return None
    if annotation.name in {"Optional", "Union", "typing.Optional", "typing.Union"}:
        inner = [a for a in annotation.args if a.name != "None"]
        return joined([annotated(a) for a in inner])
    return ANNOTATIONS.get(annotation.name.removeprefix("typing."))


# ---- what an op's result is -----------------------------------------------------------------


def _arithmetic(proof: Proof, facts: Facts, sign: str, left: int, right: int) -> str | None:
    first = proof.kind(facts, left)
    if first == TEXT and sign in {"%", "+"}:
        return TEXT
    second = proof.kind(facts, right)
    if None in {first, second}:
        return None
    return CONTAINER if CONTAINER in {first, second} else joined([first, second])


def _binary(proof: Proof, facts: Facts, op: ops.Binary) -> str | None:
    return _arithmetic(proof, facts, op.op, op.left, op.right)


def _in_place_result(proof: Proof, facts: Facts, op: ops.InPlace) -> str | None:
    target = proof.kind(facts, op.target)
    if target in NOT_PLUS_TENSOR and op.op == "+":
        return target
    return _arithmetic(proof, facts, op.op, op.target, op.value)


def _compare(proof: Proof, facts: Facts, op: ops.Compare) -> str | None:
    if op.op in {"is", "is not", "in", "not in"}:
        return PLAIN
    return joined([proof.kind(facts, op.left), proof.kind(facts, op.right)])


def _call(proof: Proof, facts: Facts, op: ops.Call) -> str | None:
    name = proof.called(facts, op.out)
    if name is not None:
        return BUILTINS.get(name)
    made = facts.made.get(op.func, [])
    func = made[0] if len(made) == 1 else None
    if isinstance(func, ops.GetAttr) and func.name in TEXT_METHODS:
        return TEXT if proof.kind(facts, func.obj) == TEXT else None
    if proof.measures(facts, op.out):
        return PLAIN
    library = proof.library(facts, op.func)
    return PLAIN if library in STANDARD else None


def _get_item(proof: Proof, facts: Facts, op: ops.GetItem) -> str | None:
    if proof.measures(facts, op.obj):
        return PLAIN
    return TEXT if proof.kind(facts, op.obj) == TEXT else None


def _get_attr(proof: Proof, facts: Facts, op: ops.GetAttr) -> str | None:
    if op.name in {"shape", "ndim"}:
        return PLAIN
    if op.name == "__dict__":
        return CONTAINER
    made = facts.made.get(op.obj, [])
    first = facts.function.params[:1]
    if len(made) == 1 and isinstance(made[0], ops.LoadName) and first:
        same = made[0].name == first[0].name and made[0].name not in facts.stores
        return proof.of_attribute(facts, op.name) if same else None
    return None


KINDS: dict[type, Callable[[Proof, Facts, Any], str | None]] = {
    ops.Copy: lambda proof, facts, op: proof.kind(facts, op.src),
    ops.Unary: lambda proof, facts, op: PLAIN if op.op == "not" else proof.kind(facts, op.value),
    ops.Binary: _binary,
    ops.InPlace: _in_place_result,
    ops.Compare: _compare,
    ops.Call: _call,
    ops.GetItem: _get_item,
    ops.GetAttr: _get_attr,
    ops.LoadName: lambda proof, facts, op: proof.of_name(facts, op.name),
}


# ---- sites ----------------------------------------------------------------------------------


def _is_plain(proof: Proof, facts: Facts, register: int) -> bool:
    return proof.kind(facts, register) not in {None, ANY}


def _in_place(proof: Proof, facts: Facts, op: ops.InPlace) -> bool:
    if _is_plain(proof, facts, op.target):
        return True
    return op.op == "+" and proof.kind(facts, op.value) in NOT_PLUS_TENSOR


def _set_item(proof: Proof, facts: Facts, op: ops.SetItem) -> bool:
    """A tensor has no keys that are texts."""
    return _is_plain(proof, facts, op.obj) or proof.kind(facts, op.index) == TEXT


def _method(proof: Proof, facts: Facts, op: ops.GetAttr) -> bool:
    """`nn.init.zeros_` is a function, `np.bool_` a type; a tensor has no `mean_`."""
    if not attributes.is_tensor_name(op.name):
        return True
    return proof.library(facts, op.obj) in LIBRARIES or _is_plain(proof, facts, op.obj)


RULES: dict[type, Callable[[Proof, Facts, Any], bool]] = {
    ops.InPlace: _in_place,
    ops.SetItem: _set_item,
    ops.GetAttr: _method,
    ops.SetAttr: lambda proof, facts, op: _is_plain(proof, facts, op.obj),
}
