"""Hand-written semantics of library functions that are no rows of the table: one subject a file.

A file registers its models when it is imported; `load` imports all of them.
"""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Import every model."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
