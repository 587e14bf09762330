"""Puts a row to its trial: what it claims of its `example` against what torch shows.

`complaints(rule)` is empty for a row that is true: what `saves` lists raises on every pattern of
requires_grad, what it does not list does not, and so on for each word of the row.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch

from inplace_lint.opdb.conditions import TENSOR
from inplace_lint.opdb.model import REQUIRED, UNKNOWN
from inplace_lint.opdb.resolve import bind, bind_init, possible_returns
from tests.rulegen.examples import cases_of
from tests.rulegen.observe import flat, observe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inplace_lint.opdb.model import Condition, Entry, Known, OpRule
    from tests.rulegen.examples import Case
    from tests.rulegen.observe import Report

_LEVELS = ("bool", "int", "float", "complex")
OVERLAP = "single memory location"


def complaints(rule: OpRule) -> list[str]:
    """Everything in which the row and torch disagree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _complaints(rule)


def _complaints(rule: OpRule) -> list[str]:
    found: list[str] = []
    reports: list[tuple[Case, Callable[[str], Known], Report]] = []
    for case in cases_of(rule.example):
        lookup = lookup_of(rule, case)
        try:
            report = observe(case, bind(rule, len(case.args), case.words))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            return [f"{case.text}: does not run: {error}"]
        reports.append((case, lookup, report))
        for check in CHECKS:
            found += [f"{case.text}: {text}" for text in check(rule, lookup, report)]
    for whole in WHOLE:
        found += whole(rule, reports)
    return found


def lookup_of(rule: OpRule, case: Case) -> Callable[[str], Known]:
    """Literals by parameter, by parameter of the constructor, by `self.ATTRIBUTE`."""
    values: dict[str, Known] = {}
    for sig, where, args, words in (
        (rule.init, bind_init(rule, len(case.init), case.init_words), case.init, case.init_words),
        (rule.sig, bind(rule, len(case.args), case.words), case.args, case.words),
    ):
        for param in sig:
            place = where.get(param.name)
            if place is None:
                values[param.name] = UNKNOWN if param.default is REQUIRED else param.default
            elif isinstance(place, tuple):
                values[param.name] = _literal([args[at]() for at in place])
            else:
                values[param.name] = _literal(
                    args[place]() if isinstance(place, int) else words[place]()
                )
    module = None if case.module is None else case.module()

    def lookup(name: str) -> Known:
        if name.startswith("self."):
            return _literal(getattr(module, name[5:], UNKNOWN))
        return values.get(name, UNKNOWN)

    return lookup


def _literal(value: Any) -> Known:
    if isinstance(value, torch.Tensor) or flat(value):
        return TENSOR
    if isinstance(value, (list, torch.Size)):
        value = tuple(value)
    known = isinstance(value, (int, float, complex, str, bool, type(None), tuple))
    return value if known else UNKNOWN


def _holds(when: Condition | None, lookup: Callable[[str], Known]) -> bool | None:
    return True if when is None else when.holds(lookup)


def _active(
    entries: tuple[Entry, ...], lookup: Callable[[str], Known], pattern: frozenset[str]
) -> Iterator[str]:
    for entry in entries:
        needed = not entry.needs or bool(set(entry.needs) & pattern)
        if needed and _holds(entry.when, lookup) is not False:
            yield text_of(entry)


def text_of(entry: Entry) -> str:
    """The entity as `observe` names it."""
    entity = entry.entity
    if entity.base == "ret":
        return "ret" if entity.index < 0 else f"ret.{entity.index}"
    return f"self.{entity.name}" if entity.base == "attr" else entity.name


def _spread(names: set[str], report: Report) -> set[str]:
    """Add what shares a counter with one of `names`: `ret` and what it is or views."""
    present = {*report.entities, *report.relation}
    found = {
        each for each in present if each in names or (each.startswith("ret.") and "ret" in names)
    }
    for result, relations in report.relation.items():
        for relation in relations:
            how, _, entity = relation.partition(" ")
            if how in {"is", "view", "views", "alias"} and {result, entity} & found:
                found |= {result, entity}
    return found


def _saves(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    for seen in report.seen:
        if seen.failed or not seen.grad:
            continue
        expected = _spread(set(_active(rule.saves, lookup, seen.pattern)), report)
        if expected != seen.raising:
            yield (
                f"saves {sorted(expected)}, torch {sorted(seen.raising)}"
                f" where {sorted(seen.pattern)} require grad"
            )


def _clones(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    for seen in report.seen:
        if seen.failed or not seen.grad or not (rule.mut or rule.clones):
            continue
        claimed = bool(set(_active(rule.clones, lookup, seen.pattern)))
        if claimed != seen.cloned:
            yield f"clones: {claimed}, torch: {seen.cloned} where {sorted(seen.pattern)}"


def _mutations(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    for word, entries, shown in (
        ("mut", rule.mut, report.bumped),
        ("mut_silent", rule.mut_silent, report.silent),
    ):
        listed = set(_active(entries, lookup, frozenset(report.entities)))
        listed &= set(report.entities)
        if listed != shown:
            yield f"{word}: {sorted(listed)}, torch: {sorted(shown)}"


def _aliases(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    allowed = set()
    for each in possible_returns(rule, lookup):
        entity = each.entity
        name = "" if entity is None else entity.name
        allowed.add(f"{each.how} {name}".strip())
    for result, shown in report.relation.items():
        if not shown <= allowed:
            yield f"{result}: {sorted(allowed)}, torch: {sorted(shown)}"


def _kinds(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    if report.is_tensor == rule.number:
        yield f"number: {rule.number}, torch: {not report.is_tensor}"
    alone = rule.first_when is not None and rule.first_when.holds(lookup) is True
    results = 1 if alone else rule.results
    if report.is_tensor and results not in (report.count, -1):
        yield f"results: {results}, torch: {report.count}"
    if rule.results == -1 and "ret" in report.relation and report.relation["ret"]:
        yield "results: a list, torch: one tensor"
    if rule.fields != report.names and rule.results > 1:
        yield f"fields: {rule.fields}, torch: {report.names}"


def _gradients(rule: OpRule, lookup: Callable[[str], Known], report: Report) -> Iterator[str]:
    del lookup
    if all(seen.failed and not seen.outputs for seen in report.seen):
        return
    shown = list(report.differentiable.values())
    if not any(report.relation.values()):
        return
    claimed = [rule.diff[min(at, len(rule.diff) - 1)] for at in range(len(shown))]
    if claimed != shown:
        yield f"diff: {claimed}, torch: {shown}"
    if rule.no_derivative and any(seen.grad for seen in report.seen) and not rule.mut:
        yield "no_derivative, but torch has a graph"


CHECKS = (_saves, _clones, _mutations, _aliases, _kinds, _gradients)


def _overlaps(rule: OpRule, reports: Any) -> Iterator[str]:
    """`overlap_ok`: torch accepts the write on an expanded tensor, in every call."""
    answers = [accepts_overlap(case) for case, _, _ in reports if _writes_first(rule, case)]
    known = [answer for answer in answers if answer is not None]
    if rule.overlap_ok and not known:
        yield "overlap_ok is not seen in any call"
    if known and all(known) != rule.overlap_ok:
        yield f"overlap_ok: {rule.overlap_ok}, torch: {known}"


def _writes_first(rule: OpRule, case: Case) -> bool:
    named = {entry.entity.name for entry in rule.mut}
    return bool(rule.sig) and rule.sig[0].name in named and case.module is None


def accepts_overlap(case: Case) -> bool | None:
    """Whether the first argument may be expanded; None when the call fails for another reason."""
    first = case.args[0]() if case.args and case.module is None else None
    if not isinstance(first, torch.Tensor) or first.layout is not torch.strided:
        return None
    if first.dim() == 0 or first.shape[0] < 2:
        return None
    expanded = first.detach()[:1].clone().expand(first.shape)
    args = [expanded, *(thunk() for thunk in case.args[1:])]
    words = {word: thunk() for word, thunk in case.words.items()}
    assert case.func is not None
    try:
        case.func(*args, **words)
    except RuntimeError as error:
        return None if OVERLAP not in str(error) else False
    return expanded._version > 0 or None


def _both_sides(rule: OpRule, reports: Any) -> Iterator[str]:
    """Each `when` must be seen true and false, each alternative of `ret` must be seen."""
    entries = (*rule.saves, *rule.clones, *rule.mut, *rule.mut_silent)
    for when in (rule.first_when, *(entry.when for entry in entries)):
        answers = {when.holds(lookup) for _, lookup, _ in reports} if when else {True, False}
        if when and not {True, False} <= answers:
            yield f"example: {when.text!r} is seen only {sorted(map(str, answers))}"
    shown = {
        relation
        for _, _, report in reports
        for relations in report.relation.values()
        for relation in relations
    }
    for each in rule.ret:
        text = each.how if each.entity is None else f"{each.how} {each.entity.name}"
        if text not in shown and shown:
            yield f"example: no call whose result is {text!r}, only {sorted(shown)}"


def _frees(rule: OpRule, reports: Any) -> Iterator[str]:
    """`owns_number`: a graph that lists nothing can still be run only once."""
    held = {
        seen.holds
        for _, _, report in reports
        for seen in report.seen
        if seen.grad and not seen.failed and not seen.raising and not seen.cloned
    }
    if held and (True in held) != rule.owns_number:
        yield f"owns_number: {rule.owns_number}, torch: {True in held}"
    if not held and rule.owns_number:
        yield "owns_number is not seen in any call"


def _all_seen(rule: OpRule, reports: Any) -> Iterator[str]:
    """Each entity that is listed must have been caught in some call."""
    raised = {name for _, _, r in reports for seen in r.seen for name in seen.raising}
    raised |= {"ret"} if any(name.startswith("ret.") for name in raised) else set()
    same = [each.entity for each in rule.ret if each.how == "is" and each.when is None]
    for entry in rule.saves:
        if text_of(entry) not in raised:
            yield f"saves: {text_of(entry)} is not seen in any call"
        if entry.entity in same and any(entry.entity == each.entity for each in rule.mut):
            yield f"saves: {text_of(entry)} is written and returned, so it is ret that is saved"
    if (rule.saves or rule.clones) and rule.no_derivative:
        yield "no_derivative, so nothing is saved"
    if any(rule.diff) and (rule.number or not any(r.seen for _, _, r in reports)):
        yield f"diff: {list(rule.diff)}, but nothing here can carry a gradient"


def _layouts(rule: OpRule, reports: Any) -> Iterator[str]:
    plain = [report for case, _, report in reports if contiguous_arguments(case)]
    loose = any(not report.contiguous for report in plain)
    wide = any(report.expanded for report in plain)
    if loose != rule.noncontig:
        yield f"noncontig: {rule.noncontig}, torch: {loose}"
    if wide != rule.expands:
        yield f"expands: {rule.expands}, torch: {wide}"


def contiguous_arguments(case: Case) -> bool:
    """Whether all tensors of the call are contiguous: only then the layout tells of the op."""
    values = [thunk() for thunk in (*case.args, *case.words.values())]
    return all(
        each.layout is torch.strided and each.is_contiguous()
        for value in values
        for each in flat(value)
    )


def _dtypes(rule: OpRule, reports: Any) -> Iterator[str]:
    for case, _, report in reports:
        shown: set[str] = next(iter(report.dtypes.values()), set())
        expected = rule.dtype or expected_dtype(case)
        if shown and expected and shown != {expected}:
            yield f"{case.text}: dtype {expected!r}, torch {sorted(shown)}"


def expected_dtype(case: Case) -> str:
    """The kind of number a result has by promotion alone, "" without tensors."""
    values = [thunk() for thunk in (*case.args, *case.words.values())]
    given = [_LEVELS.index(_level(each)) for value in values for each in flat(value)]
    return _LEVELS[max(given)] if given else ""


def _level(tensor: torch.Tensor) -> str:
    if tensor.dtype is torch.bool:
        return "bool"
    if tensor.is_complex():
        return "complex"
    return "float" if tensor.is_floating_point() else "int"


WHOLE = (_both_sides, _all_seen, _frees, _layouts, _dtypes, _overlaps)
