"""Which definitions can matter: those from which, by names, a write or a backward can be reached.

The parts of units (`source.parts`) are followed as running would follow them: a function that is
named may be called; of a class that is named the constructor, forward() and what Python calls by
itself run, and other methods where their names are used. An entry from which no part is reached
that holds any syntax of a write is *cold*: it is not entered, and not even parsed, though it is run
all the same when something hot calls it. Purely by names, so too much is hot and nothing that
matters is cold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from inplace_lint.harness import usage
from inplace_lint.harness.meanings import Meaning, Meanings, imports_of
from inplace_lint.interp import libraries
from inplace_lint.interp.scope import DECORATOR
from inplace_lint.source import SourceFile
from inplace_lint.source.foreign import TENSOR_FREE
from inplace_lint.source.plain import WORD, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inplace_lint.interp.project import Project
    from inplace_lint.source import Unit
    from inplace_lint.source.parts import Part

WRITES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (
        ("inplace",),
        re.compile(
            r"inplace[ \t]*(?::[^=,()\n]*)?=(?!\s*(?:False|None|inplace|self\.inplace)\b)"
            r"|[(,]\s*inplace\s*[,)]"
        ),
    ),
    (("out=", "out ", "out\t", "out\n", "out\r"), re.compile(r"[(,]\s*out\s*=[^=]")),
    (
        ("True",),
        re.compile(r"\((?<=\w\()(?<!\bget\()(?<!\bpop\()(?<!getattr\()(?:[^()=]*,)?\s*True\s*[,)]"),
    ),
    (
        ("LU(", "LU6(", "Mish(", "wish(", "igmoid("),
        re.compile(r"\b(?:ReLU6?|SiLU|SELU|Mish|Hard(?:swish|sigmoid))\(\s*(?!inplace)[^)\s]"),
    ),
    (("mbedding",), re.compile(r"mbedding(?:Bag|_bag)?\((?:[^,()]*,){3}")),
    (
        ("backward(", ".backward", "grad(", "autograd."),
        re.compile(
            r"(?<!def )(?<!\w)(?!save_for)\w*backward\(|\.backward\b|(?<!def )\bgrad\("
            r"|autograd\.(?:grad|backward|functional|graph)"
        ),
    ),
    (("ctx.",), re.compile(r"\bctx\.\w+\s*=[^=]")),
    ((".step", ".eval", "reveal("), re.compile(r"\.(?:step|eval)\b|\breveal\(")),
    (
        (".fill(", ".put(", ".place(", ".partition(", ".itemset(", ".sort(", ".resize("),
        re.compile(
            r"^[ \t]*[\w.\[\]]+\.(?:fill|put|place|partition|itemset|sort|resize)\(", re.MULTILINE
        ),
    ),
    (("_",), re.compile(r"\.\w*[^\W_]_(?![\w(])")),
)
"""What tells a write that `source.parts` does not, a backward, or an op that changes what it does
not own; looked for where one of the words is.
"""
WRITERS = (
    "max_norm retain_graph inference_mode .train( batch_norm instance_norm track_running "
    "fake_quant load_state_dict update_parameters update_bn vector_to_parameters swap_tensors "
    "functional_call increment_version unsafe_ kron .__set setitem iadd imul isub itruediv copyto "
    "shuffle fill_diagonal"
).split()
"""Words that tell one by themselves."""
BY_NAME = re.compile(r"\w_['\"]|['\"](?:inplace|data)['\"]")
"""Names that matter as strings: for getattr(), setattr(), keywords out of a dict."""
QUOTED = tuple(f"{each}{quote}" for each in ("_", "inplace", "data") for quote in "'\"")
"""One of which is in every text that holds one."""
TRAINING = re.compile(r"(?<!def )\b(?!save_for)\w*backward\(|\.step\b|autograd\.grad\b")
"""What tells a training script's main() from a factory of models."""
NEAR = 4
"""A script, its main(), the trainer which that drives, and where the trainer takes its step."""
INITIALISER = re.compile(r"\b[^\W\d]\w*[^\W_]_(?=\()")
CALLS_SELF = re.compile(r"\bself\s*\(")
IMPLICIT = frozenset({"__init__", "__iter__", "__int__", "__index__", "__init_subclass__"})
CONSTRUCTION = frozenset({"", "__init__", "__new__", "__post_init__"})
"""Parts of a class that run where it is instantiated."""


@dataclass(slots=True, eq=False)
class Node:
    """One part: whether it writes, the words of its code, and the units they name."""

    unit: Unit
    name: str
    writes: bool
    builds: bool
    """whether it writes while an object is constructed"""
    words: frozenset[str]
    code: str
    _trains: bool | None = None

    @property
    def trains(self) -> bool:
        """Whether its code holds a step of a training."""
        if self._trains is None:
            self._trains = TRAINING.search(self.code) is not None
        return self._trains

    def matters(self, building: bool) -> bool:
        """Whether it writes."""
        return self.builds if building else self.writes


@dataclass(slots=True)
class Side:
    """What can run of a kind: by construction of objects, or by calls."""

    seen: set[Node] = field(default_factory=set)
    units: set[Unit] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    waiting: dict[str, list[Node]] = field(default_factory=dict)
    """methods of the classes reached that nothing has named so far"""


@dataclass(slots=True)
class Reach:
    """What can run from some parts on, and whether by construction."""

    pending: list[tuple[Node, bool]] = field(default_factory=list)
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))
    whole: bool = False
    """also where nothing may write"""
    start: frozenset[Unit] = frozenset()
    built: Unit | None = None
    """a class whose forward() waits to be called"""

    def add(self, node: Node, building: bool) -> None:
        """A part may run."""
        seen = self.sides[building].seen
        if node not in seen and not (building and node in self.sides[False].seen):
            seen.add(node)
            self.pending.append((node, building))

    def name(self, words: Iterable[str], building: bool) -> None:
        """Names are used: methods of these names may run."""
        side = self.sides[building]
        side.words.update(words)
        for name in side.waiting.keys() & words:
            for method in side.waiting.pop(name):
                self.add(method, building)


@dataclass(slots=True)
class Start:
    """Where running begins: functions are called, classes constructed, methods of `names` called.

    `unit` is one of the classes of which nothing else is called, forward() neither.
    """

    units: Sequence[Unit]
    names: Iterable[str] = ()
    unit: Unit | None = None
    whole: bool = False


@dataclass(slots=True)
class Gate:
    """Answers for the files of a project, found on demand."""

    project: Project
    meanings: Meanings = field(init=False)
    named: dict[Node, tuple[Unit, ...]] = field(default_factory=dict)
    may: dict[Unit, bool] = field(default_factory=dict)
    """whether a write can be reached from a unit if all methods of its classes may run"""

    def __post_init__(self) -> None:
        self.meanings = Meanings(self.project)

    def is_hot(self, start: Start) -> bool:
        """Whether running some units may write."""
        return any(node.matters(building) for node, building in self._reached(start))

    def may_write(self, unit: Unit) -> bool:
        """Whether anything in a unit, or in what it names, may write."""
        pending, seen = [unit], {unit}
        while pending:
            current = pending.pop()
            known = self.may.get(current)
            if known or (known is None and self.writes(current)):
                self.may[unit] = True
                return True
            for node in self.nodes_of(current) if known is None else ():
                new = [other for other in self.named_by(node) if other not in seen]
                seen.update(new)
                pending += new
        self.may.update(dict.fromkeys(seen, False))
        return False

    def writes(self, unit: Unit) -> bool:
        """Whether the unit's own code holds a write."""
        return any(node.writes for node in self.nodes_of(unit))

    def makes_tensors(self, units: Sequence[Unit]) -> bool:
        """Whether units, or anything they reach, name something of a library of tensors."""
        reached = self._reached(Start(units, whole=True))
        return any(self._names_tensors(node) for node, _ in reached)

    def _names_tensors(self, node: Node) -> bool:
        """Whether a part names a library of tensors; one that `ast` can't read may name any."""
        return node.unit.parts is None or any(
            isinstance(meaning, str) and meaning.partition(".")[0] not in TENSOR_FREE
            for _, meaning in self._meant(node)
        )

    def _reached(self, start: Start) -> Iterator[tuple[Node, bool]]:
        """The parts that may run, one after the other, and whether by construction."""
        reach = Reach(whole=start.whole, built=start.unit, start=frozenset(start.units))
        reach.name(start.names, False)
        for unit in start.units:
            self._reach(reach, unit, unit.kind == "class")
        while reach.pending:
            node, building = reach.pending.pop()
            yield node, building
            reach.name(node.words, building)
            if node.unit is reach.built and CALLS_SELF.search(node.code):
                reach.name({"forward"}, False)
            for unit in self.named_by(node):
                self._reach(reach, unit, building)

    def _reach(self, reach: Reach, unit: Unit, building: bool) -> None:
        """A function may be called, a class be instantiated."""
        side = reach.sides[building]
        begins = reach.whole or unit in reach.start
        if unit in side.units or not (begins or self.may_write(unit)):
            return
        side.units.add(unit)
        for node in self.nodes_of(unit):
            if unit.kind != "class" or node.name in CONSTRUCTION:
                reach.add(node, building)
            elif (node.name == "forward" and unit is not reach.built) or _is_implicit(node):
                reach.add(node, building=False)
            else:
                self._wait(reach, node)

    def _wait(self, reach: Reach, node: Node) -> None:
        """A method runs as soon as its name is used."""
        for building, side in enumerate(reach.sides):
            if node.name in side.words:
                reach.add(node, bool(building))
            else:
                side.waiting.setdefault(node.name, []).append(node)

    def nodes_of(self, unit: Unit) -> tuple[Node, ...]:
        """The parts of a unit, those that set weights apart."""
        if unit.nodes is None:
            parts = unit.parts
            found = [_node(unit, part) for part in parts or () if not part.quiet]
            unknown = Node(unit, "", True, True, unit.words, unit.text)
            unit.nodes = tuple(found) if parts is not None else (unknown,)
        nodes: tuple[Node, ...] = unit.nodes
        return nodes

    def named_by(self, node: Node) -> tuple[Unit, ...]:
        """Units that a part's names may mean; behind an import, those of the imported file."""
        known = self.named.get(node)
        if known is None:
            known = self.named[node] = tuple(dict.fromkeys(self._named(node)))
        return known

    def trains(self, unit: Unit) -> bool:
        """Whether a unit, or what it names, or what that names, holds the steps of a training."""
        level, seen = [unit], {unit}
        for _ in range(NEAR):
            nodes = [node for current in level for node in self.nodes_of(current)]
            if any(node.trains for node in nodes):
                return True
            level = [u for node in nodes for u in self.named_by(node) if u not in seen]
            seen.update(level)
        return False

    def _named(self, node: Node) -> Iterator[Unit]:
        reads: dict[str, set[str]] | None = None
        for word, meaning in self._meant(node):
            if isinstance(meaning, str) and not libraries.may_tell(meaning, node.words):
                continue
            if isinstance(meaning, (SourceFile, str)):
                reads = usage.reads_in(node.code) if reads is None else reads
                for chain in sorted(reads.get(word, ())):
                    yield from self.meanings.behind(meaning, chain.split(".")[1:])
            else:
                yield meaning
        yield from _registered(node.unit)

    def _meant(self, node: Node) -> Iterator[tuple[str, Meaning]]:
        """The names a part uses and what they may mean."""
        file = node.unit.file
        bound = node.words if "*" in file.bindings else node.words & file.bindings.keys()
        for word in sorted(bound):
            for meaning in self.meanings.of(file, word):
                yield word, meaning
        for each in imports_of(node.unit):
            if each.bound in node.words:
                for meaning in self.meanings.imported(file, each):
                    yield each.bound, meaning


def _is_implicit(node: Node) -> bool:
    """Whether Python calls the method by itself, or autograd does.

    Where that is by a write, the write matters.
    """
    name = node.name
    if name == "backward":
        return "Function" in node.unit.words
    written = name.startswith("__i") and name not in IMPLICIT
    return name.startswith("__") and not written and name not in {"__setitem__", "__delitem__"}


def _node(unit: Unit, part: Part) -> Node:
    text = unit.text_of(part)
    code = plain(text)
    kept = INITIALISER.sub("", code) if "_(" in code else code
    words = frozenset(WORD.findall(kept))
    writes = (part.stores and part.builds) or _writes(code) or _writes_by_name(text)
    if "getattr" in words:
        words |= frozenset(WORD.findall(text))
    return Node(unit, part.name, writes or part.stores, writes or part.builds, words, code)


def _writes_by_name(text: str) -> bool:
    return any(word in text for word in QUOTED) and BY_NAME.search(text) is not None


def _writes(code: str) -> bool:
    return any(word in code for word in WRITERS) or any(
        pattern.search(code) for words, pattern in WRITES if any(word in code for word in words)
    )


def _registered(unit: Unit) -> Iterator[Unit]:
    """Definitions that a decorator enters into the dict that a statement makes."""
    if unit.kind == "statement":
        for words, decorated in _decorated(unit.file):
            if not words.isdisjoint(unit.binds):
                yield from decorated


@lru_cache(maxsize=8)
def _decorated(file: SourceFile) -> list[tuple[frozenset[str], list[Unit]]]:
    """The definitions below each decorator of a file, after the words that its body uses."""
    below: dict[str, list[Unit]] = {}
    for unit in file.units:
        decorator = DECORATOR.match(unit.text)
        if decorator and decorator[1] in file.bindings:
            below.setdefault(decorator[1], []).append(unit)
    return [
        (frozenset().union(*(maker.words for maker in file.bindings[name])), units)
        for name, units in below.items()
    ]
