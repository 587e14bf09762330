"""Which definitions can matter: those from which, by names, a write or a backward can be reached.

A definition is *hot* when its text holds any syntax of a write, or names something hot, in its
file or, through imports, in another file of the project. What is cold is not entered; it is run
all the same when something hot calls it. Purely by names, so too much is hot and nothing that
matters is cold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint import lower
from inplace_lint.ir import ops
from inplace_lint.ir.walk import walk
from inplace_lint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.interp.project import Project
    from inplace_lint.source import Unit

WRITES = re.compile(
    r"\w_\(|[^=!<>]\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)=[^=]|\]\s*=[^=]|inplace|\bout\s*=|\.data\b|\.grad\b"
    r"|backward|\.step\b|load_state_dict|max_norm|inference_mode|Function\b|copyto|from_numpy|dlpack"
    r"|vector_to_parameters|update_parameters|setattr|__set|swap_tensors|functional_call|setitem"
    r"|unsafe_|hook|iadd|imul|isub|itruediv|\.eval\b|kron|retain_graph|autograd"
)
"""Any syntax of a write, of a backward, or of an op that changes what it does not own."""


TRAINING = re.compile(r"backward|\.step\b|autograd\.grad\b")
"""What tells a training script's main() from a factory of models."""
NEAR = 4
"""A script, its main(), the trainer which that drives, and where the trainer takes its step."""


@dataclass(slots=True)
class Gate:
    """Hot names of the files of a project, found on demand."""

    project: Project
    hot: dict[Unit, bool] = field(default_factory=dict)
    texts: dict[Unit, bool] = field(default_factory=dict)

    def is_hot(self, unit: Unit) -> bool:
        """Whether a unit's text, or anything it names, may write."""
        pending: list[Unit] = [unit]
        seen: set[Unit] = {unit}
        while pending:
            current = pending.pop()
            known = self.hot.get(current)
            if known or (known is None and self.writes(current)):
                self.hot[unit] = True
                return True
            for other in self.named_by(current) if known is None else ():
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        self.hot.update(dict.fromkeys(seen, False))
        return False

    def writes(self, unit: Unit) -> bool:
        """Whether the unit's own text holds a write."""
        known = self.texts.get(unit)
        if known is None:
            known = self.texts[unit] = WRITES.search(unit.text) is not None
        return known

    def trains(self, unit: Unit) -> bool:
        """Whether a unit, or what it names, or what that names, holds the steps of a training."""
        level, seen = [unit], {unit}
        for _ in range(NEAR):
            if any(TRAINING.search(current.text) for current in level):
                return True
            level = [u for current in level for u in self.named_by(current) if u not in seen]
            seen.update(level)
        return False

    def named_by(self, unit: Unit) -> Iterator[Unit]:
        """Units that bind a name the unit uses; behind an import, those of the imported file."""
        bindings = unit.file.bindings
        for word in unit.words & bindings.keys():
            for other in bindings[word]:
                if other.kind == "import":
                    yield from self._imported(other, word)
                else:
                    yield other

    def _imported(self, unit: Unit, name: str) -> Iterator[Unit]:
        """The units of project files that an imported name may mean."""
        for op in _imports(unit):
            if isinstance(op, ops.Import):
                found = name in op.module.split(".")
                file = self.project.find(unit.file, op.module, 0) if found else None
                yield from file.units if file is not None else ()
            elif op.name == name:
                file = self.project.find(unit.file, op.module, op.level)
                yield from file.bindings.get(name, file.units) if file is not None else ()


def _imports(unit: Unit) -> list[ops.Import | ops.ImportFrom]:
    try:
        body = lower.lower_unit(unit).body
    except SourceError:
        return []
    return [op for op in walk(body) if isinstance(op, (ops.Import, ops.ImportFrom))]
