"""The objects that arguments name: one name, one object for the whole entry.

`train(model, bin_op)` in a file with one root module and a class BinOp gets the one as `model` and
an instance of the other, built around the same model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inplace_lint.domain.values import NONE, ClassValue, FunctionValue, Instance, Unknown, Value
from inplace_lint.harness import usage
from inplace_lint.interp import generic, lookup, ownership, scope
from inplace_lint.interp.acts import Act

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inplace_lint.harness.survey import Survey
    from inplace_lint.interp.state import State
    from inplace_lint.source import Unit

MODEL_USES = frozenset(
    "parameters named_parameters train eval zero_grad state_dict load_state_dict modules".split()
)
MODEL_WORDS = frozenset(
    "model net network module generator discriminator critic actor policy encoder decoder backbone "
    "student teacher agent gan vae netd netg".split()
)
OTHER_WORDS = frozenset(
    "loss criterion fn func metric optimizer optim opt scheduler sched env".split()
)

build: Act[[State, Survey, ClassValue], Instance] = Act()
"""Make an instance of a class in view."""
forward_once: Act[[State, Survey, Instance], Value | None] = Act()
"""What one call of a model gives."""
made_by: Act[[State, Survey, FunctionValue], Value] = Act()
"""What a factory function makes."""


def by_name(
    state: State, plan: Survey, name: str, uses: frozenset[str], part: bool = False
) -> Value | None:
    """The object an argument's name and use point to; None if nothing in view does.

    `part`: a constructor's argument, which is a model only if it is named so.
    """
    words = set(name.lower().strip("_").split("_"))
    found = _same_name(state, plan, name)
    if found is not None:
        return found
    if words & OTHER_WORDS:
        return _by_methods(state, plan, name) if "env" in words else None
    if uses & MODEL_USES or (usage.CALLED in uses and not part) or _is_model_name(words):
        return model(state, plan, name, required=bool(uses & MODEL_USES))
    if part:
        found = _kind_of(state, plan, name) or _by_methods(state, plan, name)
        if found is not None:
            return found
    attributes = uses - {usage.CALLED, usage.ITERATED, usage.INDEXED}
    return _by_attributes(state, plan, attributes) if len(attributes) >= 1 else None


def _is_model_name(words: set[str]) -> bool:
    stems = {word.rstrip("0123456789") for word in words}
    return bool(stems & MODEL_WORDS) or any(w.startswith(("net", "model")) for w in words)


def _same_name(state: State, plan: Survey, name: str) -> Value | None:
    """A class whose name is the argument's: `bin_op` is a BinOp."""
    plain = name.lower().replace("_", "")
    for unit in plan.classes:
        if unit.binds and unit.binds[0].lower().replace("_", "") == plain:
            return instance_of(state, plan, unit.binds[0])
    return None


def _kind_of(state: State, plan: Survey, name: str) -> Value | None:
    """The only class whose name ends in the argument's: `cache` is a FeatureCache."""
    ending = name.lower().replace("_", "")
    own = state.entry.partition(".")[0]
    names = [unit.binds[0] for unit in plan.classes if unit.binds and unit.binds[0] != own]
    fitting = [n for n in names if n.lower().endswith(ending) and n.lower() != ending]
    return instance_of(state, plan, fitting[0]) if len(fitting) == 1 and len(ending) > 2 else None


def _by_methods(state: State, plan: Survey, name: str) -> Value | None:
    """The only class with all the methods that the file calls on what goes by this name."""
    called = re.compile(rf"\b{re.escape(name)}\.(\w+)\(")
    methods = {found for unit in plan.file.units for found in called.findall(unit.text)}
    return _by_attributes(state, plan, frozenset(methods)) if len(methods) > 1 else None


def _by_attributes(state: State, plan: Survey, attributes: frozenset[str]) -> Value | None:
    """The only class that defines every attribute that is used."""
    fitting = plan.fitting.get(attributes)
    if fitting is None:
        fitting = plan.fitting[attributes] = tuple(_fitting(state, plan, attributes))
    value = _class(state, plan, fitting[0]) if len(fitting) == 1 else None
    return _instance(state, plan, value) if value is not None else None


def _fitting(state: State, plan: Survey, attributes: frozenset[str]) -> Iterator[Unit]:
    for unit in plan.classes:
        value = _class(state, plan, unit)
        if value is not None and all(_defines(value, name) for name in attributes):
            yield unit


def _defines(cls: ClassValue, name: str) -> bool:
    return any(isinstance(base, ClassValue) and name in base.attrs for base in cls.mro)


def instance_of(state: State, plan: Survey, name: str) -> Value | None:
    """The world's instance of a class of this file."""
    for unit in plan.classes:
        if unit.binds and unit.binds[0] == name:
            value = _class(state, plan, unit)
            return _instance(state, plan, value) if value is not None else None
    return None


def _class(state: State, plan: Survey, unit: Unit) -> ClassValue | None:
    value = scope.lookup(state, state.scopes.of(plan.file), unit.binds[0])
    return value if isinstance(value, ClassValue) else None


def _instance(state: State, plan: Survey, cls: ClassValue) -> Value | None:
    known = state.world.get(cls.name)
    if known is not None:
        return known if known is not state.world.get("self") else _another(state, plan, cls)
    if lookup.is_function_class(cls):
        return None
    return build(state, plan, cls)


def _another(state: State, plan: Survey, cls: ClassValue) -> Value:
    """Beside `self`: `a.merge(b)` is about two objects."""
    name = f"another {cls.name}"
    known = state.world.get(name)
    if known is None:
        state.world[name] = state.world["self"]  # while it is made, there is no third one
        known = state.world[name] = build(state, plan, cls)
    return known


def model(state: State, plan: Survey, name: str, required: bool) -> Value | None:
    """A model for an argument: the root module it names, the only one, else a generic one."""
    known = state.world.get(name)
    if isinstance(known, (Instance, Unknown)):
        return known
    roots = other_roots(state, plan)
    stem = name.lower().replace("net", "").replace("model", "").strip("_")
    named = [cls for cls in roots if stem and _fits(stem, cls.name.lower())]
    chosen = named[:1] or (roots if len(roots) == 1 else [])
    if chosen:
        found = _instance(state, plan, chosen[0])
        if isinstance(found, Instance):
            return found
    made_by_factory = _from_factory(state, plan) if not roots else None
    if made_by_factory is not None:
        return made_by_factory
    return generic_model(state, name) if required else None


def other_roots(state: State, plan: Survey) -> list[ClassValue]:
    """Root modules of the file but for the one that is being entered."""
    own = state.entry.partition(".")[0]
    return [cls for cls in root_modules(state, plan) if cls.name != own]


OUTPUT_NAMES = frozenset(
    "output outputs out pred preds prediction predictions predicts logits logit".split()
)


def is_loss(name: str) -> bool:
    """Whether a function or class is named as a loss."""
    plain = name.lower()
    return "loss" in plain or "criterion" in plain


def output(state: State, plan: Survey) -> Value | None:
    """What the only model of the file returns, for the argument of a loss; the same each time."""
    models = [cls for cls in other_roots(state, plan) if not is_loss(cls.name)]
    if len(models) != 1 or "<output>" in state.world:
        known = state.world.get("<output>")
        return None if known is NONE else known
    state.world["<output>"] = NONE  # while it is made, nobody is given it
    obj = _instance(state, plan, models[0])
    if not isinstance(obj, Instance):
        return None
    made = forward_once(state, plan, obj)
    if made is not None:
        state.world["<output>"] = made
    return made


def generic_model(state: State, name: str) -> Value:
    """A module from elsewhere, with one trained weight."""
    made = Unknown(f"arg:{name}", "module", name)
    generic.weight_of(state, made)
    return made


def is_model_name(name: str) -> bool:
    """Whether an argument's name is one for a whole model."""
    return _is_model_name(set(name.lower().strip("_").split("_")))


FACTORY_WORDS = ("Sequential", "Module", "ModuleList")


def _from_factory(state: State, plan: Survey) -> Value | None:
    """What a function of the file that builds modules returns."""
    if "<factory>" in state.world:
        return None
    state.world["<factory>"] = NONE
    for unit in plan.functions:
        if unit.binds[0] == state.entry or not any(word in unit.words for word in FACTORY_WORDS):
            continue
        value = scope.lookup(state, state.scopes.of(plan.file), unit.binds[0])
        if isinstance(value, FunctionValue):
            made = made_by(state, plan, value)
            if ownership.is_module(made):
                del state.world["<factory>"]
                return made
    del state.world["<factory>"]
    return None


def _fits(stem: str, name: str) -> bool:
    """`d` and `disc` fit Discriminator, `cell` fits PlasticCell."""
    return name.startswith(stem) or (len(stem) > 2 and name.endswith(stem))


def root_modules(state: State, plan: Survey) -> list[ClassValue]:
    """Modules that no other class of the file names."""
    found = []
    for unit in plan.classes:
        value = _class(state, plan, unit)
        if value is None or not lookup.is_module_class(value):
            continue
        if not _named_by_class(plan, unit):
            found.append(value)
    return found


def _named_by_class(plan: Survey, unit: Unit) -> bool:
    name = unit.binds[0]
    from inplace_lint.harness.survey import lowered

    for other in plan.classes:
        if other is not unit and name in other.words and name in other.used:
            function = lowered(other)
            if function is not None and name in function.names:
                return True
    return False
