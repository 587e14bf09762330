"""The JSON schema of the configuration, from the table of options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inplace_lint.checks.registry import registry
from inplace_lint.config import options
from inplace_lint.config.options import OPTIONS, Config

if TYPE_CHECKING:
    from collections.abc import Callable

    from inplace_lint.config.options import Option

_STRINGS = {"type": "array", "items": {"type": "string"}}


def config_schema() -> dict[str, Any]:
    """A draft-07 schema of `[tool.inplace-lint]`, as editors and validate-pyproject want it."""
    rows = {option.name: _row(option) for option in OPTIONS}
    rows["extend"] = {"type": "string", "description": "A configuration file to build on."}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://json.schemastore.org/partial-inplace-lint.json",
        "title": "inplace-lint",
        "description": "Finds in-place mutations that break PyTorch's autograd.",
        "type": "object",
        "additionalProperties": False,
        "properties": dict(sorted(rows.items())),
        "definitions": {"code": {"type": "string", "pattern": _code_pattern()}},
    }


def tool_schema(tool_name: str) -> dict[str, Any]:  # noqa: ARG001
    """Entry point of `validate_pyproject.tool_schema`."""
    return config_schema()


def _row(option: Option) -> dict[str, Any]:
    row: dict[str, Any] = {**_SHAPES[option.kind](option), "description": option.doc}
    default = Config.__dataclass_fields__[option.attribute].default
    if isinstance(default, (str, bool, tuple)) and default != "":
        row["default"] = list(default) if isinstance(default, tuple) else default
    return row


def _code_pattern() -> str:
    """Every prefix of a code, and ALL."""
    prefixes = {code[:size] for code in registry() for size in range(1, len(code) + 1)}
    return f"^(ALL|{'|'.join(sorted(prefixes))})$"


def _codes(_: Option) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": "#/definitions/code"}}


_SHAPES: dict[str, Callable[[Option], dict[str, Any]]] = {
    options.CODES: _codes,
    options.GLOBS: lambda _: dict(_STRINGS),
    options.PATHS: lambda _: dict(_STRINGS),
    options.RULE_FILES: lambda _: dict(_STRINGS),
    options.CHOICE: lambda option: {"enum": list(option.choices)},
    options.FLAG: lambda _: {"type": "boolean"},
    options.VERSION: lambda _: {"type": "string", "pattern": r"^\d+(\.\d+){0,2}$"},
    options.CODES_BY_GLOB: lambda option: {
        "type": "object",
        "additionalProperties": _codes(option),
    },
}
