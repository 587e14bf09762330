"""Which definitions of a file are worth entering: those from which a write may be reached.

What an argument may be counts as well: `world` makes objects of the file's own classes for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.harness import usage, world
from inplace_lint.harness.gate import Start

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.harness.gate import Gate
    from inplace_lint.harness.survey import Survey
    from inplace_lint.source import Unit


SHORT = 2
"""So many letters of an argument's name tell no class by its ending."""


@dataclass(slots=True)
class Doors:
    """The answers for one file."""

    plan: Survey
    gate: Gate
    methods: dict[tuple[Unit, str], bool] = field(default_factory=dict)
    meets: dict[Unit, bool] = field(default_factory=dict)
    uses: dict[Unit, tuple[list[str], list[set[str]]]] = field(default_factory=dict)
    defined: set[str] | None = None

    def script(self) -> bool:
        """Whether the module body may write to a tensor."""
        statements = self.plan.statements
        hot = bool(statements) and self.gate.is_hot(Start(statements))
        return hot and self.gate.makes_tensors(statements)

    def may_write(self, unit: Unit) -> bool:
        """Whether any entry of a class may."""
        return self._meets_objects(unit) or self.gate.may_write(unit)

    def life(self, unit: Unit) -> bool:
        """Whether the life of a class may: construction and forward(), or its public methods."""
        names = [part.name for part in unit.parts or ()]
        public = () if "forward" in names else [n for n in names if not n.startswith("_")]
        return self._is_hot(unit, public)

    def method(self, unit: Unit, name: str) -> bool:
        """Whether a method may, on an object that has only been constructed."""
        key = (unit, name)
        if key not in self.methods:
            self.methods[key] = self._is_hot(unit, [name], built=unit)
        return self.methods[key]

    def function(self, unit: Unit) -> bool:
        """Whether a function is worth entering: it uses its arguments as objects, or it may write.

        A bare factory of models only builds what the classes' own entries build.
        """
        if not self.gate.is_hot(Start([unit])):
            return self._is_hot(unit, ())
        if self.gate.writes(unit) or any(self._uses(unit)[1]) or _takes_tensor(unit):
            return True
        if self._applies(unit):
            return True
        pending, seen = [unit], {unit}
        while pending:
            current = pending.pop()
            nodes = self.gate.nodes_of(current)
            if any(node.trains for node in nodes):
                return True
            inner = [u for node in nodes for u in self.gate.named_by(node)]
            new = [other for other in inner if other in self.plan.functions and other not in seen]
            pending += new
            seen.update(new)
        return False

    def _applies(self, unit: Unit) -> bool:
        """Whether the function applies a custom autograd.Function of its file."""
        own = [other for other in self.plan.classes if other.binds and "Function" in other.words]
        return "apply" in unit.words and any(other.binds[0] in unit.words for other in own)

    def _is_hot(self, unit: Unit, names: Iterable[str], built: Unit | None = None) -> bool:
        units = [unit]
        if self._meets_objects(unit):
            units += [other for other in self.plan.classes if other is not unit]
        return self.gate.is_hot(Start(units, names, built))

    def _meets_objects(self, unit: Unit) -> bool:
        """Whether an argument may be an object of one of the file's classes."""
        known = self.meets.get(unit)
        if known is None:
            known = self.meets[unit] = any(map(self._is_object, *self._uses(unit)))
        return known

    def _is_object(self, name: str, uses: set[str]) -> bool:
        """Whether `world` may make an object of an argument of this name and use."""
        plain = name.lower().replace("_", "")
        classes = [unit.binds[0].lower().replace("_", "") for unit in self.plan.classes]
        if plain in classes or (len(plain) > SHORT and any(c.endswith(plain) for c in classes)):
            return True
        if name in world.OUTPUT_NAMES or world.is_model_name(name):
            return bool(self.plan.classes)
        attributes = uses - {usage.CALLED, usage.INDEXED}
        if uses & world.MODEL_USES or usage.CALLED in uses:
            return bool(self.plan.classes)
        return bool(attributes) and attributes <= self._attributes()

    def _attributes(self) -> set[str]:
        """The names that classes of the file define, and those they may inherit."""
        if self.defined is None:
            units = set(self.plan.classes)
            for unit in self.plan.classes:
                own = [node for node in self.gate.nodes_of(unit) if not node.name]
                units.update(base for node in own for base in self.gate.named_by(node))
            nodes = [node for unit in units for node in self.gate.nodes_of(unit)]
            self.defined = {node.name for node in nodes}
            self.defined.update(word for node in nodes if not node.name for word in node.words)
        return self.defined

    def _uses(self, unit: Unit) -> tuple[list[str], list[set[str]]]:
        """The arguments of a unit's functions and how they are used.

        What a constructor calls is a part to build it of, not a model of the file.
        """
        if unit in self.uses:
            return self.uses[unit]
        names: list[str] = []
        uses: list[set[str]] = []
        for part, node in zip(unit.parts or (), self.gate.nodes_of(unit), strict=False):
            own = set(part.params) - {"self", "cls"}
            for name, used in usage.uses_in(node.code, own).items():
                names.append(name)
                uses.append(used - {usage.CALLED} if part.name == "__init__" else used)
        self.uses[unit] = names, uses
        return names, uses


def _takes_tensor(unit: Unit) -> bool:
    """Whether a parameter is annotated as a tensor."""
    return any(part.tensors for part in unit.parts or ())
