"""What a class has and is, from its bases alone: nothing is run."""

from __future__ import annotations

import functools

from inplace_lint.domain.values import (
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Unknown,
    Value,
    Wrapped,
)

MODULE_BASES = ("torch.nn.", "lightning.", "pytorch_lightning.", "pl.")
MODULE_NAMES = frozenset("Module LightningModule Sequential ModuleList ModuleDict".split())


def classes_of(obj: Value) -> tuple[Value, ...]:
    """The classes of an instance in method resolution order."""
    cls = obj.cls if isinstance(obj, Instance) else obj
    return cls.mro if isinstance(cls, ClassValue) else (cls,)


def find_method(obj: Value, name: str) -> FunctionValue | None:
    """A method in view, through the classes; None where a library would have to answer."""
    for cls in classes_of(obj):
        found = cls.attrs.get(name) if isinstance(cls, ClassValue) else None
        if isinstance(found, Wrapped):
            found = found.func
        if isinstance(found, FunctionValue):
            return found
    return None


def find_in(cls: ClassValue, name: str) -> Value | None:
    """A class attribute in view, by method resolution order."""
    for base in cls.mro:
        if isinstance(base, ClassValue) and name in base.attrs:
            return base.attrs[name]
    return None


def is_module_class(cls: Value) -> bool:
    """Whether it is an nn.Module, as far as its bases tell."""
    if is_function_class(cls):
        return False
    classes = cls.mro if isinstance(cls, ClassValue) else (cls,)
    for base in classes:
        if isinstance(base, External) and is_module_path(base.path):
            return True
    foreign = any(isinstance(base, (External, Unknown)) for base in classes)
    return foreign and isinstance(cls, ClassValue) and find_in(cls, "forward") is not None


@functools.cache
def is_module_path(path: str) -> bool:
    """Whether a library class is an nn.Module."""
    last = path.rpartition(".")[2]
    if path.startswith(MODULE_BASES):
        return last[:1].isupper() and last not in {"Parameter", "Buffer"}
    return last in MODULE_NAMES


def is_optimizer_class(cls: Value) -> bool:
    """Whether it is a torch.optim.Optimizer."""
    classes = cls.mro if isinstance(cls, ClassValue) else ()
    return any(
        isinstance(base, External) and base.path.startswith("torch.optim.") for base in classes
    )


def is_function_class(cls: Value) -> bool:
    """Whether it is a torch.autograd.Function."""
    classes = cls.mro if isinstance(cls, ClassValue) else ()
    return any(
        isinstance(base, External)
        and base.path.startswith("torch.")
        and base.path.endswith(".Function")
        for base in classes
    )
