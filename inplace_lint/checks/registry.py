"""Finds the checks: each module of this package that holds a `CHECK`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from inplace_lint import checks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inplace_lint.checks.base import Check


@functools.cache
def registry() -> Mapping[str, Check]:
    """Every check by its code, in the order of codes."""
    found: dict[str, Check] = {}
    for info in pkgutil.iter_modules(checks.__path__):
        module = importlib.import_module(f"{checks.__name__}.{info.name}")
        check = getattr(module, "CHECK", None)
        if check is not None:
            if check.code in found:
                raise ValueError(f"two checks call themselves {check.code}")
            found[check.code] = check
    return dict(sorted(found.items()))
