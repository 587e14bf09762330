"""Reads configuration files: `[tool.inplace-lint]` of pyproject.toml, or inplace-lint.toml.

The file nearest to what is linted holds alone; with `extend` it builds on another one. Every value
is checked against the table of options; what is wrong is told with its line and column.
"""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.checks.registry import registry
from inplace_lint.checks.suggest import did_you_mean
from inplace_lint.config import options
from inplace_lint.config.errors import ConfigError
from inplace_lint.config.locate import Locator, Place
from inplace_lint.config.options import OPTIONS, Config, Option
from inplace_lint.opdb.load import load_extra
from inplace_lint.opdb.parse import RuleError
from inplace_lint.source.decode import is_file

if TYPE_CHECKING:
    from collections.abc import Callable

_TOOL = "tool.inplace-lint"
_AT = re.compile(r"^(?P<words>.*?)\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|.*)\)$")
_BY_NAME = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class _Source:
    """A file being read: its text's positions, and the table that is ours."""

    path: Path
    locator: Locator
    table: str

    def wrong(self, place: Place, message: str) -> ConfigError:
        return ConfigError(shown(self.path), place, message)


def load(path: Path, seen: tuple[Path, ...] = ()) -> Config:
    """The configuration that a file gives, over those it extends."""
    table, source = _read(path)
    base = Config(root=path.absolute().parent)
    if "extend" in table:
        base = _extended(table.pop("extend"), source, (*seen, path.resolve()))
    values: dict[str, Any] = {}
    origins = dict(base.origins)
    for name, value in table.items():
        place = source.locator.key(source.table, name)
        option = _BY_NAME.get(name)
        if option is None:
            near = did_you_mean(name, [*_BY_NAME, "extend"])
            raise source.wrong(place, f"unknown key {name!r}{near}")
        values[option.attribute] = _READERS[option.kind](option, value, source)
        origins[name] = f"{shown(path)}:{place[0]}"
    return replace(base, root=path.absolute().parent, origins=origins, **values)


def shown(path: Path) -> str:
    """A path as messages show it: relative where it lies below the working folder."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _read(path: Path) -> tuple[dict[str, Any], _Source]:
    name = shown(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(name, (1, 1), error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise ConfigError(name, (1, 1), "not UTF-8") from None
    toml = _toml()
    try:
        whole: dict[str, Any] = toml.loads(text)
    except toml.TOMLDecodeError as error:
        raise _syntax_error(name, text, str(error)) from None
    except (ValueError, RecursionError):  # thousands of digits or brackets
        raise ConfigError(name, (1, 1), "no TOML that can be read") from None
    if path.name != "pyproject.toml":
        return whole, _Source(path, Locator(text), "")
    ours: Any = whole
    for key in _TOOL.split("."):
        ours = ours.get(key, {}) if isinstance(ours, dict) else {}
    return ours if isinstance(ours, dict) else {}, _Source(path, Locator(text), _TOOL)


def _toml() -> Any:
    return importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


def _syntax_error(path: str, text: str, words: str) -> ConfigError:
    match = _AT.match(words)
    if match is None:
        return ConfigError(path, (1, 1), words)
    lines = text.split("\n")
    place = (len(lines), len(lines[-1]) + 1)
    if match["line"]:
        place = (int(match["line"]), int(match["column"]))
    return ConfigError(path, place, f"no TOML: {match['words']}")


def _extended(value: object, source: _Source, seen: tuple[Path, ...]) -> Config:
    place = source.locator.key(source.table, "extend")
    if not isinstance(value, str):
        raise source.wrong(place, "extend: expected the path of a file")
    path = source.path.absolute().parent / value
    if path.resolve() in seen:
        raise source.wrong(place, f"extend: {value} extends this file in turn")
    if not is_file(path):
        raise source.wrong(place, f"extend: no such file: {value}")
    return load(path, seen)


def _strings(option: Option, value: object, source: _Source) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        place = source.locator.key(source.table, option.name)
        raise source.wrong(place, f"{option.name}: expected a list of strings")
    return tuple(value)


def _codes(option: Option, value: object, source: _Source) -> tuple[str, ...]:
    codes = _strings(option, value, source)
    for code in codes:
        check_code(code, lambda words, code=code: _at_value(option, source, code, words))  # type: ignore[misc]
    return codes


def check_code(code: str, wrong: Callable[[str], Exception]) -> None:
    """Raise what `wrong` makes of the words if no code begins with `code`."""
    if code != "ALL" and not any(known.startswith(code) for known in registry()):
        raise wrong(f"unknown code {code!r}{did_you_mean(code, registry())}")


def _at_value(option: Option, source: _Source, item: str, words: str) -> ConfigError:
    place = source.locator.value(source.table, option.name, item)
    return source.wrong(place, f"{option.name}: {words}")


def _paths(option: Option, value: object, source: _Source) -> tuple[str, ...]:
    root = source.path.absolute().parent
    return tuple(str(root / item) for item in _strings(option, value, source))


def _rule_files(option: Option, value: object, source: _Source) -> tuple[str, ...]:
    paths = _paths(option, value, source)
    for written, path in zip(_strings(option, value, source), paths, strict=True):
        try:
            load_extra(Path(path))
        except OSError as error:
            raise _at_value(option, source, written, f"{written}: {error.strerror}") from None
        except RuleError as error:
            raise _at_value(option, source, written, str(error)) from None
    return paths


def _choice(option: Option, value: object, source: _Source) -> str:
    if value not in option.choices:
        near = did_you_mean(str(value), option.choices)
        expected = ", ".join(option.choices)
        words = f"expected one of {expected}, not {value!r}{near}"
        raise _at_value(option, source, str(value), words)
    return str(value)


def _flag(option: Option, value: object, source: _Source) -> bool:
    if not isinstance(value, bool):
        place = source.locator.key(source.table, option.name)
        raise source.wrong(place, f"{option.name}: expected true or false")
    return value


def _version(option: Option, value: object, source: _Source) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+(\.\d+){0,2}", value):
        words = 'expected a version such as "2.4"'
        raise _at_value(option, source, str(value), words)
    return value


def _codes_by_glob(option: Option, value: object, source: _Source) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        place = source.locator.key(source.table, option.name)
        raise source.wrong(place, f"{option.name}: expected a table of globs")
    return {glob: _codes(option, codes, source) for glob, codes in value.items()}


_READERS: dict[str, Callable[[Option, Any, _Source], Any]] = {
    options.CODES: _codes,
    options.GLOBS: _strings,
    options.PATHS: _paths,
    options.RULE_FILES: _rule_files,
    options.CHOICE: _choice,
    options.FLAG: _flag,
    options.VERSION: _version,
    options.CODES_BY_GLOB: _codes_by_glob,
}
