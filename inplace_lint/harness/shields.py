"""Helpers whose callers run where nothing is recorded: what they do is nobody's gradient.

Optimizers, EMA helpers, initialisers and custom Functions call their helpers under no_grad or
before training. Which of the callers in view does is not looked into: any one in the chain of
names is enough.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from inplace_lint.harness.survey import functions_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.ir.function import Function
    from inplace_lint.source import SourceFile, Unit

SHIELDS = frozenset("no_grad inference_mode set_grad_enabled ema custom_op".split())
INITIALISERS = frozenset(
    "__init__ __post_init__ reset_parameters init_weights _init_weights setup".split()
)


HEADER = re.compile(r"^class\s+\w+\s*\(([^)]*)\)", re.MULTILINE)
OPTIMIZER = re.compile(r"\w*Optimi[sz]er\b|\boptim\.\w+")
MODULE = re.compile(r"\w*Module\b")
FOLDERS = frozenset("optim optims optimizer optimizers optimiser optimisers".split())
NEAR = 3


def optimises(file: SourceFile) -> bool:
    """Whether a file is an optimizer's: its classes or the folders right above it say so.

    Optimizers run without gradients, so nobody differentiates what their helpers return.
    """
    if FOLDERS.intersection(PurePath(file.path).parts[:-1][-NEAR:]):
        return True
    bases = [found for u in file.units if u.kind == "class" for found in HEADER.findall(u.text)]
    return any(map(OPTIMIZER.search, bases)) and not any(map(MODULE.search, bases))


def is_shielded(file: SourceFile, name: str) -> bool:
    """Whether some code that leads to the name runs unrecorded."""
    pending, seen = [name], {name}
    while pending:
        for unit, leading in _leading_to(file, pending.pop()):
            if not isinstance(leading, str) and _runs_unrecorded(leading, unit):
                return True
            found = leading if isinstance(leading, str) else leading.name
            if found not in seen:
                seen.add(found)
                pending.append(found)
    return False


def _leading_to(file: SourceFile, name: str) -> Iterator[tuple[Unit, Function | str]]:
    """Functions that use a name, and names that a top-level statement binds with it."""
    for unit in file.mentioning(name):
        if unit.kind == "import":
            continue
        if unit.kind == "statement":
            yield from ((unit, bound) for bound in unit.binds)
        functions = functions_in(unit) if name in unit.used else ()
        yield from ((unit, f) for f in functions if name in f.names and f.name != name)


def _runs_unrecorded(function: Function, unit: Unit) -> bool:
    decorated = any(name.rpartition(".")[2] in SHIELDS for name in function.decorators)
    unrecorded = function.name in INITIALISERS or decorated or bool(function.names & SHIELDS)
    return unrecorded or _is_of_shielding_class(unit)


def _is_of_shielding_class(unit: Unit) -> bool:
    """A custom Function's methods run unrecorded; an optimizer's do where it says so anywhere."""
    if "Function" in unit.words:
        return True
    return "Optimizer" in unit.words and (unit.kind != "class" or bool(unit.words & SHIELDS))
