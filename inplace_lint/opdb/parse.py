"""JSON object -> `OpRule`. Whatever is malformed is refused with the word that is wrong.

The grammar of the strings is told in rules/README.md:

    sig      "self"  "p:num=0.5"  "input|self"  "*"  "dim:ints=None"
    saves    "self"  "self if other"  "ret.1"  "input when p!='nuc'"
    ret      "new"  "is self"  "view self or new"  "is input when not training or new"
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from inplace_lint.opdb.conditions import ConditionError, names_in, parse_condition
from inplace_lint.opdb.model import (
    REQUIRED,
    Condition,
    Entity,
    Entry,
    Known,
    OpRule,
    Param,
    Remark,
    Returns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PARAM_KINDS = ("tensor", "tensors", "num", "int", "bool", "str", "ints", "dtype", "any")
ROW_KINDS = ("op", "module", "optimizer", "boundary")
DTYPES = ("", "bool", "int", "float", "complex")
HOWS = ("new", "is", "view", "views", "alias", "raw")

_PARAM = re.compile(r"(\w+)((?:\|\w+)*)(?::(\w+))?(?:=(.*))?", re.DOTALL)
_ENTITY = re.compile(r"ret(?:\.(\d+))?|(self\.)?(\w[\w.]*)")
_ENTRY = re.compile(r"(\S+)(?: if (\S+))?(?: when (.+))?", re.DOTALL)
_RETURN = re.compile(r"(\w+)(?: (?!when\b)(\S+))?(?: when (.+))?", re.DOTALL)
_OR = re.compile(r" or (?=(?:new|is|view|views|alias|raw)\b)")


class RuleError(ValueError):
    """A row is malformed; the message says which word and why."""


def parse_row(raw: Mapping[str, Any]) -> OpRule:
    """Build and check one rule."""
    _known_words(raw)
    values: dict[str, Any] = {}
    for word, value in raw.items():
        try:
            values[word] = _READERS[word](value)
        except (RuleError, ConditionError) as error:
            raise RuleError(f"{word}: {error}") from error
    for word in ("id", "api", "sig"):
        if word not in values:
            raise RuleError(f"{word} is missing")
    results = values.get("results", 1)
    values.setdefault("diff", (True,) * max(results, 1))
    rule = OpRule(**values)
    _check_names(rule)
    return rule


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """`; did you mean "saves"?`, or nothing if no word is near."""
    near = difflib.get_close_matches(word, list(words), 1)
    return f'; did you mean "{near[0]}"?' if near else ""


def parse_param(text: str, keyword_only: bool = False) -> Param:
    """One item of a `sig`."""
    match = _PARAM.fullmatch(text)
    if match is None:
        raise RuleError(f"no parameter: {text!r}")
    name, aliases, kind, default = match.groups()
    kind = kind or "tensor"
    if kind not in PARAM_KINDS:
        raise RuleError(f"no kind: {kind!r} in {text!r}{did_you_mean(kind, PARAM_KINDS)}")
    return Param(
        name,
        kind,
        REQUIRED if default is None else _literal(default),
        keyword_only,
        tuple(aliases.split("|")[1:]),
    )


def parse_entry(text: str) -> Entry:
    """`ENTITY[ if ARG[|ARG]][ when COND]`"""
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise RuleError(f"no entry: {text!r}")
    entity, needs, when = match.groups()
    return Entry(
        parse_entity(entity),
        tuple(needs.split("|")) if needs else (),
        _condition(when),
    )


def parse_entity(text: str) -> Entity:
    """`ret`, `ret.1`, `self.weight`, `self.out_proj.weight` or the name of a parameter."""
    match = _ENTITY.fullmatch(text)
    if match is None:
        raise RuleError(f"no entity: {text!r}")
    index, attribute, name = match.groups()
    if name is None:
        return Entity("ret", "ret", -1 if index is None else int(index))
    return Entity("attr" if attribute else "param", name)


def parse_returns(text: str) -> tuple[Returns, ...]:
    """`HOW[ ENTITY][ when COND]`, several of them joined with "or"."""
    return tuple(_one_return(part) for part in _OR.split(text))


def _one_return(text: str) -> Returns:
    match = _RETURN.fullmatch(text)
    if match is None or match.group(1) not in HOWS:
        raise RuleError(f"no result: {text!r}")
    how, entity, when = match.groups()
    if (how == "new") != (entity is None):
        raise RuleError(f"{how} {'takes no' if how == 'new' else 'needs an'} entity: {text!r}")
    return Returns(how, parse_entity(entity) if entity else None, _condition(when))


def _condition(text: str | None) -> Condition | None:
    return None if text is None else parse_condition(text)


def _literal(text: str) -> Known:
    try:
        value: Known = ast.literal_eval(text)
    except (ValueError, SyntaxError) as error:
        raise RuleError(f"no literal: {text!r}") from error
    return value


def _signature(items: list[str]) -> tuple[Param, ...]:
    star = items.index("*") if "*" in items else len(items)
    head = [parse_param(item) for item in items[:star]]
    return (*head, *(parse_param(item, True) for item in items[star + 1 :]))


def _entries(items: list[str]) -> tuple[Entry, ...]:
    return tuple(parse_entry(item) for item in items)


def _attributes(items: list[str]) -> tuple[Entry, ...]:
    return tuple(parse_entry(f"self.{item}") for item in items)


def _words(items: list[str]) -> tuple[str, ...]:
    return tuple(items)


_REMARK = re.compile(r"((?:\*|[\w.]+)(?:\|[\w.]+)*)(?: when ([^:]+))?: (.+)")


def _remarks(items: list[str]) -> tuple[Remark, ...]:
    return tuple(map(_remark, items))


def _remark(text: str) -> Remark:
    """`[ENTITY[|ENTITY][ when COND]: ]REASON`; without an entity it is for readers alone."""
    match = _REMARK.fullmatch(text)
    if match is None:
        return Remark(text)
    entities, when, reason = match.groups()
    return Remark(reason, tuple(entities.split("|")), _condition(when))


def _backends(value: Any) -> dict[str, tuple[Entry, ...]]:
    """`{"cuda": {"saves": [...]}}`"""
    read = _listed(_entries)
    told = _typed(dict)(value).items()
    return {name: read(_typed(dict)(words).get("saves")) for name, words in told}


def _one_of(words: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise RuleError(f"{value!r} is none of {', '.join(map(repr, words))}")
        return str(value)

    return read


def _typed(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise RuleError(f"expected {kind.__name__}, found {value!r}")
        return value

    return read


def _listed(read: Callable[[list[str]], Any]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RuleError(f"expected a list of strings, found {value!r}")
        return read(value)

    return checked


def _differentiable(value: Any) -> tuple[bool, ...]:
    if not isinstance(value, list) or not all(flag in (0, 1) for flag in value):
        raise RuleError(f"expected a list of 0 and 1, found {value!r}")
    return tuple(bool(flag) for flag in value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "id": _typed(str),
    "api": _listed(_words),
    "sig": _listed(_signature),
    "saves": _listed(_entries),
    "clones": _listed(_entries),
    "mut": _listed(_entries),
    "mut_silent": _listed(_entries),
    "ret": lambda value: parse_returns(_typed(str)(value)),
    "results": _typed(int),
    "fields": _listed(_words),
    "first_when": lambda value: parse_condition(_typed(str)(value)),
    "diff": _differentiable,
    "dtype": _one_of(DTYPES),
    "creates": _typed(bool),
    "number": _typed(bool),
    "expands": _typed(bool),
    "noncontig": _typed(bool),
    "overlap_ok": _typed(bool),
    "no_derivative": _typed(bool),
    "owns_number": _typed(bool),
    "maybe": _listed(_remarks),
    "kind": _one_of(ROW_KINDS),
    "init": _listed(_signature),
    "params": _listed(_attributes),
    "buffers": _listed(_attributes),
    "backends": _backends,
    "since": _typed(str),
    "until": _typed(str),
    "example": _typed(str),
    "src": _typed(str),
}

assert set(_READERS) == {field.name for field in fields(OpRule)}


def _known_words(raw: Mapping[str, Any]) -> None:
    for word in raw:
        if word not in _READERS:
            raise RuleError(f"no such word: {word!r}{did_you_mean(word, _READERS)}")


def _check_names(rule: OpRule) -> None:
    """Every name an entry or a condition speaks of must be one of the row's own."""
    names = {param.name for param in (*rule.sig, *rule.init)}
    attributes = {entry.entity.name for entry in (*rule.params, *rule.buffers)} | {"training"}
    for entry in (*rule.saves, *rule.clones, *rule.mut, *rule.mut_silent):
        _check_entity(entry.entity, names)
        for need in entry.needs:
            _check_need(need, names, attributes)
        _check_condition(entry.when, names)
    for condition in (rule.first_when, *(e.when for e in (*rule.params, *rule.buffers))):
        _check_condition(condition, names)
    for alternative in rule.ret:
        if alternative.entity is not None:
            _check_entity(alternative.entity, names)
        _check_condition(alternative.when, names)


def _check_entity(entity: Entity, names: set[str]) -> None:
    if entity.base == "param" and entity.name not in names:
        raise RuleError(f"no parameter {entity.name!r}{did_you_mean(entity.name, names)}")


def _check_need(need: str, names: set[str], attributes: set[str]) -> None:
    known = names | {f"self.{name}" for name in attributes}
    if need not in known:
        raise RuleError(f"no parameter {need!r} after if{did_you_mean(need, known)}")


def _check_condition(condition: Condition | None, names: set[str]) -> None:
    if condition is None:
        return
    for name in names_in(condition.text):
        if name not in names and not name.startswith("self."):
            raise RuleError(f"no parameter {name!r} after when{did_you_mean(name, names)}")
