"""Which handler takes an exception, as far as the classes tell."""

from __future__ import annotations

import builtins

from inplace_lint.domain.values import (
    ClassValue,
    External,
    Instance,
    ListValue,
    TupleValue,
    Value,
    settle,
)
from inplace_lint.interp.lookup import classes_of

PREFIX = "builtins."


def catches(types: Value, raised: Value) -> bool | None:
    """Whether `except types` takes what was raised; None where a class is not known."""
    types = settle(types)
    if isinstance(types, (TupleValue, ListValue)):
        answers = [catches(item, raised) for item in types.items]
        if True in answers:
            return True
        return None if None in answers else False
    return _is_of(settle(raised), types)


def _is_of(raised: Value, cls: Value) -> bool | None:
    if not isinstance(raised, (Instance, ClassValue, External)):
        return None
    classes = classes_of(raised)
    if any(one is cls for one in classes):
        return True
    wanted = _builtin(cls)
    if wanted is None:
        known = isinstance(cls, ClassValue) and all(_is_known(one) for one in classes)
        return False if known else None
    answers = [issubclass(found, wanted) for one in classes if (found := _builtin(one))]
    if True in answers:
        return True
    return False if all(_is_known(one) for one in classes) else None


def _is_known(cls: Value) -> bool:
    return isinstance(cls, ClassValue) or _builtin(cls) is not None


def _builtin(cls: Value) -> type[BaseException] | None:
    """The exception class of a builtin name."""
    path = cls.path if isinstance(cls, External) else ""
    found = getattr(builtins, path.removeprefix(PREFIX), None) if path.startswith(PREFIX) else None
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def is_exception(path: str) -> bool:
    """Whether a library path names a builtin exception."""
    return _builtin(External(path)) is not None
