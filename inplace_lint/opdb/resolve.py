"""From what the user wrote to a row: names, overloads, arguments.

    find("Tensor.mul")                                   rows of mul
    choose(rows, ["tensor", "number"], {})               mul.Scalar
    bind(rule, 2, ["out"])                               {"self": 0, "other": 1, "out": "out"}

*Shape* of an argument: "tensor", "tensors" (a list or tuple holding tensors), "number", "bool",
"str", "none", "ints" (a list or tuple of numbers), "dtype" or "unknown", which fits anything.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

from inplace_lint.opdb.load import Table, load_extra, read_table
from inplace_lint.opdb.model import REQUIRED, TORCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from inplace_lint.opdb.model import Known, OpRule, Param, Returns

Binding: TypeAlias = "int | str | tuple[int, ...]"

_PREFIXES = (
    ("torch.nn.functional.", "F."),
    ("torch._C._nn.", "F."),
    ("torch._C._special.", "torch.special."),
    ("torch._C._linalg.", "torch.linalg."),
    ("torch._C._fft.", "torch.fft."),
    ("torch._C._VariableFunctions.", "torch."),
    ("torch._C.TensorBase.", "Tensor."),
    ("torch._tensor.Tensor.", "Tensor."),
    ("torch.functional.", "torch."),
    ("torch.Tensor.", "Tensor."),
    ("torch.nn.init.", "init."),
    ("torch.optim.", "optim."),
    ("torch.nn.utils.", "utils."),
    ("torch.nn.parameter.", "nn."),
    ("torch.nn.modules.", "nn."),
    ("torch.nn.", "nn."),
)
_KEPT_MODULES = ("lr_scheduler", "swa_utils", "rnn", "parametrize", "parametrizations")


@functools.cache
def canonical(path: str) -> str:
    """The table's name for a dotted path: "torch.nn.functional.relu" is "F.relu"."""
    for prefix, short in _PREFIXES:
        if path.startswith(prefix):
            return short + _public(path[len(prefix) :], short)
    return path


def _public(rest: str, short: str) -> str:
    """Drop the file a class or function is defined in: `modules.linear.Linear`, `adam.Adam`."""
    head, dot, last = rest.partition(".")
    if not dot or short not in {"nn.", "optim.", "utils."} or not head.islower():
        return rest
    return rest if head in _KEPT_MODULES else last.rpartition(".")[2]


@functools.lru_cache(maxsize=1)
def table() -> Table:
    """The shipped table."""
    return read_table()


def add_extra(path: Path) -> None:
    """Take in a user's file of rows; raises RuleError."""
    for rule in load_extra(path):
        table().add_rule(rule)
    _forget()


def _forget() -> None:
    """Drop the answers that hang on which rows there are."""
    find.cache_clear()
    chosen.cache_clear()


def row(rule_id: str) -> OpRule | None:
    """The row with this id."""
    return table().rule(rule_id)


@functools.cache
def find(api: str) -> tuple[OpRule, ...]:
    """The rows a canonical name may mean, best first; () when the table does not know it."""
    return tuple(sorted(filter(_holds, table().named(api)), key=_rank))


_AIMED: list[tuple[int, ...]] = []
"""The version of PyTorch that the code runs on, where the configuration says it."""


def aim(version: str) -> None:
    """Leave out rows that do not hold for this version of PyTorch ("" for the table's own)."""
    aimed = [_parts(version)] if version else []
    if aimed != _AIMED:
        _AIMED[:] = aimed
        _forget()


def version() -> str:
    """The version of PyTorch that the code runs on."""
    return ".".join(map(str, _AIMED[0])) if _AIMED else TORCH


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def _holds(rule: OpRule) -> bool:
    """Whether a row speaks of the version aimed at; `since` is inclusive, `until` is not."""
    if not _AIMED:
        return not rule.until
    young = bool(rule.since) and _AIMED[0] < _parts(rule.since)
    old = bool(rule.until) and _AIMED[0] >= _parts(rule.until)
    return not (young or old)


def _rank(rule: OpRule) -> tuple[int, int]:
    """Fewest required parameters first, and among these tensors before numbers."""
    required = [param for param in rule.sig if param.default is REQUIRED]
    return len(required), -sum(param.kind in {"tensor", "tensors"} for param in required)


# ---- overloads -----------------------------------------------------------------------------

_EXACT, _LOOSE, _FAR, _NEVER = 0, 1, 2, None

_FITS: dict[str, dict[str, int]] = {
    "tensor": {"tensor": _EXACT, "number": _LOOSE, "bool": _LOOSE, "ints": _FAR},
    "tensors": {"tensors": _EXACT, "tensor": _LOOSE, "ints": _FAR},
    "num": {"number": _EXACT, "bool": _EXACT, "tensor": _FAR},
    "int": {"number": _EXACT, "bool": _LOOSE, "tensor": _FAR},
    "bool": {"bool": _EXACT, "number": _LOOSE},
    "str": {"str": _EXACT, "number": _FAR},
    "ints": {"ints": _EXACT, "number": _LOOSE, "tensors": _FAR},
    "dtype": {"dtype": _EXACT},
    "any": dict.fromkeys(("tensor", "tensors", "number", "bool", "str", "ints", "dtype"), _LOOSE),
}


@functools.lru_cache(maxsize=4096)
def chosen(
    api: str, args: tuple[str, ...], keywords: tuple[tuple[str, str], ...]
) -> tuple[OpRule, dict[str, Binding]] | None:
    """The row of a name that fits the shapes best, and how it binds them; calls are much alike.

    An op of which no overload fits is its first one: it tells more of the call than nothing would.
    """
    rules = find(api)
    rule = choose(rules, args, dict(keywords))
    if rule is None and rules and rules[0].kind == "op":
        rule = rules[0]
    return None if rule is None else (rule, bind(rule, len(args), [name for name, _ in keywords]))


def choose(
    rules: Sequence[OpRule], args: Sequence[str], keywords: Mapping[str, str]
) -> OpRule | None:
    """The rule whose signature fits the shapes best, the earlier of equals; None if none fits."""
    best: OpRule | None = None
    least = 0
    for rule in rules:
        cost = _misfit(rule, args, keywords)
        if cost is not None and (best is None or cost < least):
            best, least = rule, cost
    return best


def _misfit(rule: OpRule, args: Sequence[str], keywords: Mapping[str, str]) -> int | None:
    bound = _bind(rule.sig, len(args), keywords)
    if bound is None:
        return None
    cost = 0
    for param in rule.sig:
        where = bound.get(param.name)
        if where is None:
            if param.default is REQUIRED:
                return None
            continue
        for shape in _shapes(where, args, keywords):
            fit = _fit(param, shape)
            if fit is None:
                return None
            cost += fit
    return cost


def _shapes(where: Binding, args: Sequence[str], keywords: Mapping[str, str]) -> Iterable[str]:
    if isinstance(where, str):
        return (keywords[where],)
    return (args[where],) if isinstance(where, int) else tuple(args[i] for i in where)


def _fit(param: Param, shape: str) -> int | None:
    if shape == "unknown":
        return _EXACT
    if shape == "none":
        return _EXACT if param.default is None else _FAR
    return _FITS[param.kind].get(shape, _NEVER)


# ---- arguments -----------------------------------------------------------------------------


def bind(rule: OpRule, positional: int, keywords: Iterable[str]) -> dict[str, Binding]:
    """Parameter -> its position, its keyword, or a range of positions (`x.view(2, 3)`).

    Parameters left out are absent: their default is in `rule.sig`. What fits no parameter is
    left out.
    """
    return _bind(rule.sig, positional, keywords, strict=False) or {}


def bind_init(rule: OpRule, positional: int, keywords: Iterable[str]) -> dict[str, Binding]:
    """The same over the constructor's signature."""
    return _bind(rule.init, positional, keywords, strict=False) or {}


def _bind(
    sig: tuple[Param, ...], positional: int, keywords: Iterable[str], strict: bool = True
) -> dict[str, Binding] | None:
    """None when `strict` and an argument has no parameter, or a parameter two arguments."""
    places = [param for param in sig if not param.keyword_only]
    bound: dict[str, Binding] = {
        param.name: position for position, param in enumerate(places[:positional])
    }
    if positional > len(places):
        last = places[-1] if places else None
        if last is not None and last.kind in {"ints", "tensors"}:
            bound[last.name] = tuple(range(len(places) - 1, positional))
        elif strict:
            return None
    for keyword in keywords:
        param = _accepting(sig, keyword)
        if param is not None and param.name not in bound:
            bound[param.name] = keyword
        elif strict:
            return None
    return bound


NUMPY = {"axis": "dim", "keepdims": "keepdim"}
"""Numpy's names of parameters, which every op takes for its own."""


def _accepting(sig: tuple[Param, ...], keyword: str) -> Param | None:
    for name in (keyword, NUMPY.get(keyword)):
        for param in sig:
            if name == param.name or name in param.aliases:
                return param
    return None


def possible_returns(rule: OpRule, lookup: Callable[[str], Known]) -> list[Returns]:
    """The alternatives of `ret` that may hold; more than one: the aliasing is undecided."""
    found = []
    for alternative in rule.ret:
        holds = None if alternative.when is None else alternative.when.holds(lookup)
        if holds is False:
            continue
        found.append(alternative)
        if holds is True:
            break
    return found
