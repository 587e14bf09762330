"""Asks torch what one call does: the experiment behind every row.

The call is run anew on fresh tensors for each question: the counter of one tensor is bumped
(`increment_version`), then backward is run; "modified by an inplace operation" means that the
tensor was saved. An *entity* is named as in a row; the elements of a list are one entity.
"""

from __future__ import annotations

import itertools
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch.autograd.graph import increment_version, saved_tensors_hooks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from inplace_lint.opdb.resolve import Binding
    from tests.rulegen.examples import Case

Pattern: TypeAlias = "frozenset[str]"
MODIFIED = "modified by an inplace operation"
VIEW_MODIFIED = "has been modified inplace"
"""What a saved view says whose base has changed. A root that is one of several views says it too,
though nothing was saved."""
FREED = "backward through the graph a second time"
MOST_PATTERNS, MOST_PAIRS = 4, 12
"""Above so many tensors that may require grad only single ones, pairs and all are tried; above
the second number not even pairs."""


@dataclass
class Run:
    """One execution: tensors by entity, the flat results by entity, the graph's roots."""

    tensors: dict[str, list[torch.Tensor]]
    results: dict[str, list[torch.Tensor]]
    value: Any
    before: dict[str, list[tuple[int, torch.Tensor]]]
    module: torch.nn.Module | None = None

    def roots(self) -> list[torch.Tensor]:
        """Results that carry a graph; what an op without result has written, else."""
        found = [each for each in flat(self.value) if each.requires_grad]
        if found or flat(self.value):
            return found
        return [each for every in self.tensors.values() for each in every if each.grad_fn]


@dataclass
class Seen:
    """What one pattern of requires_grad showed."""

    pattern: Pattern
    raising: set[str] = field(default_factory=set)
    failed: str = ""
    outputs: frozenset[str] = frozenset()
    grad: bool = False
    holds: bool = False
    cloned: bool = False


@dataclass
class Report:
    """All about one call. `relation` tells of each result what it shares with which entity."""

    entities: tuple[str, ...]
    seen: list[Seen]
    bumped: set[str]
    silent: set[str]
    relation: dict[str, set[str]]
    dtypes: dict[str, set[str]]
    differentiable: dict[str, bool]
    is_tensor: bool
    contiguous: bool
    expanded: bool
    count: int
    names: tuple[str, ...]


def flat(value: Any) -> list[torch.Tensor]:
    """The tensors in a value, containers opened."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in flat(item)]
    return []


def can_require(tensor: torch.Tensor) -> bool:
    """Whether autograd differentiates tensors of this dtype."""
    return tensor.is_floating_point() or tensor.is_complex()


def entities_of(bound: Mapping[str, Binding]) -> dict[str | int, str]:
    """Argument position or keyword -> parameter."""
    found: dict[str | int, str] = {}
    for name, where in bound.items():
        for each in where if isinstance(where, tuple) else (where,):
            found[each] = name
    return found


def run(case: Case, owner: Mapping[str | int, str], pattern: Pattern) -> Run:
    """Execute the call; the entities of `pattern` require grad."""
    torch.manual_seed(0)
    tensors: dict[str, list[torch.Tensor]] = {}
    args = []
    for at, thunk in enumerate(case.args):
        args.append(_fresh(thunk(), owner.get(at, f"#{at}"), pattern, tensors))
    words = {}
    for word, thunk in case.words.items():
        words[word] = _fresh(thunk(), owner.get(word, word), pattern, tensors)
    module = None if case.module is None else case.module()
    func = case.func
    if module is not None:
        func = module
        _own(module, pattern, tensors)
    before = {
        name: [(each._version, each.detach().clone()) for each in every]
        for name, every in tensors.items()
    }
    assert func is not None
    value = func(*args, **words)
    return Run(tensors, _by_result(value), value, before, module)


def _fresh(value: Any, name: str, pattern: Pattern, into: dict[str, list[torch.Tensor]]) -> Any:
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        copy = value.detach().clone()
        if name in pattern and can_require(copy):
            copy = copy.requires_grad_().clone()
        into.setdefault(name, []).append(copy)
        return copy
    if isinstance(value, (list, tuple)) and flat(value):
        return type(value)(_fresh(item, name, pattern, into) for item in value)
    return value


def _own(module: torch.nn.Module, pattern: Pattern, into: dict[str, list[torch.Tensor]]) -> None:
    for name, parameter in module.named_parameters():
        parameter.requires_grad_(f"self.{name}" in pattern)
        into[f"self.{name}"] = [parameter]
    for name, buffer in module.named_buffers():
        into[f"self.{name}"] = [buffer]


def _by_result(value: Any) -> dict[str, list[torch.Tensor]]:
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return {f"ret.{at}": flat(item) for at, item in enumerate(value)}
    return {"ret": flat(value)}


def patterns(tensors: Mapping[str, list[torch.Tensor]]) -> Iterator[Pattern]:
    """Every choice of entities that require grad, few of them if there are many entities."""
    names = [name for name, every in tensors.items() if any(can_require(each) for each in every)]
    sizes: Iterable[int] = range(1, len(names) + 1)
    if len(names) > MOST_PATTERNS:
        sizes = (1, 2, len(names)) if len(names) <= MOST_PAIRS else (1, len(names))
    for size in sizes:
        yield from map(frozenset, itertools.combinations(names, size))


def observe(case: Case, bound: Mapping[str, Binding]) -> Report:
    """Everything a row may claim of this call."""
    owner = entities_of(bound)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = run(case, owner, frozenset())
        seen = [_question(case, owner, pattern) for pattern in patterns(plain.tensors)]
        useful = [each for each in seen if not each.failed]
        most = max(useful, key=lambda each: len(each.pattern), default=None)
        tracked = run(case, owner, most.pattern) if most else plain
    return _report(plain, tracked, seen)


def _question(case: Case, owner: Mapping[str | int, str], pattern: Pattern) -> Seen:
    seen = Seen(pattern)
    try:
        first = run(case, owner, pattern)
    except (RuntimeError, NotImplementedError) as error:
        seen.failed = str(error)
        return seen
    seen.outputs = frozenset(
        name for name, every in first.results.items() if any(e.requires_grad for e in every)
    )
    if not first.roots():
        return seen
    seen.grad = True
    raised = _backward(first)
    if raised:
        seen.failed = raised
        return seen
    seen.holds = FREED in _backward(first)
    seen.cloned = _keeps_old(case, owner, pattern)
    for entity in (*first.tensors, *first.results):
        count = len({**first.tensors, **first.results}[entity])
        if any(_raises(case, owner, pattern, entity, at) for at in range(count)):
            seen.raising.add(entity)
    return seen


def _raises(
    case: Case, owner: Mapping[str | int, str], pattern: Pattern, entity: str, at: int
) -> bool:
    again = run(case, owner, pattern)
    every = {**again.tensors, **again.results}.get(entity, [])
    if at >= len(every):
        return False
    roots = again.roots()
    increment_version(every[at])
    error = _backward(again, roots=roots)
    if MODIFIED in error:
        return True
    return VIEW_MODIFIED in error and not any(r._is_view() and _is_multi(r) for r in roots)


def _backward(done: Run, roots: list[torch.Tensor] | None = None) -> str:
    roots = done.roots() if roots is None else roots
    try:
        torch.autograd.backward(roots, [torch.ones_like(root) for root in roots])
    except RuntimeError as error:
        return str(error)
    return ""


def _keeps_old(case: Case, owner: Mapping[str | int, str], pattern: Pattern) -> bool:
    """Whether the graph keeps a copy of the content that a written argument had before."""
    packed: list[torch.Tensor] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        packed.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        done = run(case, owner, pattern)
    written = {
        entity: every
        for entity, every in done.tensors.items()
        if any(
            each._version != version
            for each, (version, _) in zip(every, done.before[entity], strict=True)
        )
    }
    pointers = {_address(each) for every in done.tensors.values() for each in every}
    return any(
        kept.shape == old.shape
        and kept.dtype == old.dtype
        and _address(kept) not in pointers
        and _same(kept, old)
        for entity in written
        for _, old in done.before[entity]
        for kept in packed
    )


def _address(tensor: torch.Tensor) -> int:
    return tensor.data_ptr() if tensor.layout is torch.strided else id(tensor)


def _report(plain: Run, tracked: Run, seen: list[Seen]) -> Report:
    bumped, silent = set(), set()
    for entity, every in plain.tensors.items():
        for each, (version, old) in zip(every, plain.before[entity], strict=True):
            if each._version != version:
                bumped.add(entity)
            elif not _same(each, old):
                silent.add(entity)
    results = [each for every in plain.results.values() for each in every]
    value = plain.value
    named = tuple(getattr(type(value), "__match_args__", ())) if isinstance(value, tuple) else ()
    return Report(
        entities=tuple(plain.tensors),
        seen=seen,
        bumped=bumped,
        silent=silent,
        relation={name: _relations(every, tracked) for name, every in tracked.results.items()},
        dtypes={name: {_dtype(each) for each in every} for name, every in plain.results.items()},
        differentiable={name: any(name in each.outputs for each in seen) for name in plain.results},
        is_tensor=bool(flat(value)) or value is None,
        contiguous=all(each.layout != torch.strided or each.is_contiguous() for each in results),
        expanded=any(_expanded(each) for each in results),
        count=len(value) if isinstance(value, (tuple, list)) else 1,
        names=named,
    )


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape:
        return False
    if one.layout is not torch.strided:
        one, other = one.to_dense(), other.to_dense()
    if one.is_quantized:
        one, other = one.dequantize(), other.dequantize()
    equal = (one.detach() == other) | (other != other)
    return bool(equal.all())


def _dtype(tensor: torch.Tensor) -> str:
    if tensor.dtype is torch.bool:
        return "bool"
    if tensor.is_complex():
        return "complex"
    return "float" if tensor.is_floating_point() else "int"


def _expanded(tensor: torch.Tensor) -> bool:
    if tensor.layout != torch.strided:
        return False
    return any(
        step == 0 and size > 1 for step, size in zip(tensor.stride(), tensor.shape, strict=True)
    )


def _relations(results: list[torch.Tensor], done: Run) -> set[str]:
    """Of one result: "is input", "view input", "views input", "alias input", "raw input", "new"."""
    found = set()
    for result in results:
        shared = [
            f"{how} {entity}"
            for entity, every in done.tensors.items()
            for each in every
            for how in [_relation(result, each)]
            if how
        ]
        found.update(shared or ["new"])
    return found


def _relation(result: torch.Tensor, argument: torch.Tensor) -> str:
    if result is argument:
        return "is"
    try:
        if result.untyped_storage().data_ptr() != argument.untyped_storage().data_ptr():
            return ""
    except (RuntimeError, NotImplementedError):
        return ""
    if argument.untyped_storage().nbytes() == 0:
        return ""
    before = result._version
    increment_version(argument)
    if result._version == before:
        return "raw"
    if not result._is_view():
        return "alias"
    return "views" if _is_multi(result) else "view"


def _is_multi(result: torch.Tensor) -> bool:
    meta = torch._C._autograd._get_creation_meta(result)
    return str(meta).endswith("MULTI_OUTPUT_NODE")
