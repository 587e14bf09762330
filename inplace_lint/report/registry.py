"""Finds the formats: each module of this package that holds a `REPORT`."""

from __future__ import annotations

import functools
import importlib
import json
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint import report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inplace_lint.report.base import Report


@functools.cache
def names() -> tuple[str, ...]:
    """The names of all formats (a module `json_lines` is "json-lines"), none imported yet."""
    modules = (info.name for info in pkgutil.iter_modules(report.__path__))
    return tuple(sorted(name[3:].replace("_", "-") for name in modules if name.startswith("as_")))


def find(name: str) -> Report:
    """The format called `name`, which is one of `names()`."""
    module = importlib.import_module(f"{report.__name__}.as_{name.replace('-', '_')}")
    found: Report = module.REPORT
    return found


def registry() -> Mapping[str, Report]:
    """Every format by its name."""
    return {name: find(name) for name in names()}


def findings_schema() -> dict[str, Any]:
    """The published JSON schema of `--format json`."""
    text = (Path(report.__file__).parent / "findings.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
