"""From what torch showed of some calls to the claims of a row.

    exp      {"saves": ["ret"]}                       raised for ret on every pattern
    mul      {"saves": ["other if self", ...]}        raised for other iff self requires grad

Where calls disagree the claim is left to a hand-written row: `DisagreementError` says on what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.rulegen.trial import contiguous_arguments, expected_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.rulegen.examples import Case
    from tests.rulegen.observe import Report, Seen

    Shown = Sequence[tuple[Case, Report]]


class DisagreementError(ValueError):
    """The calls do not fit one row."""


def claims_of(shown: Shown) -> dict[str, Any]:
    """The words of a row that describe all the calls."""
    claims: dict[str, Any] = {}
    mutated = _same([sorted(report.bumped) for _, report in shown], "mut")
    silent = _same([sorted(report.silent) for _, report in shown], "mut_silent")
    saves = [entry for entry in _saves(shown) if entry]
    clones = _clones(shown, mutated)
    for word, entries in (
        ("saves", saves),
        ("clones", clones),
        ("mut", mutated),
        ("mut_silent", silent),
    ):
        if entries:
            claims[word] = entries
    claims.update(_results(shown))
    claims.update(_layout(shown))
    if any(
        seen.holds and not seen.raising and not seen.cloned
        for _, report in shown
        for seen in _useful(report)
    ):
        claims["owns_number"] = True
    return claims


def _same(values: list[Any], word: str) -> Any:
    if any(value != values[0] for value in values):
        raise DisagreementError(f"{word}: {values}")
    return values[0]


def _useful(report: Report) -> list[Seen]:
    return [seen for seen in report.seen if seen.grad and not seen.failed]


def _saves(shown: Shown) -> list[str]:
    entries: dict[str, set[str]] = {}
    for case, report in shown:
        for entity in _representatives(report):
            entries.setdefault(entity, set()).add(_entry(entity, _useful(report), case))
    return sorted(_settle(entity, options, shown) for entity, options in entries.items())


def _settle(entity: str, options: set[str], shown: Shown) -> str:
    """The one entry that fits all calls: "input if input" and "input" may be the same."""
    for option in sorted(options, key=len):
        if all(
            _fits(option, seen, entity)
            for _, report in shown
            if entity in _representatives(report)
            for seen in _useful(report)
        ):
            return option
    raise DisagreementError(f"saves: {sorted(options)}")


def _fits(option: str, seen: Seen, entity: str) -> bool:
    needs = option.partition(" if ")[2]
    expected = bool(option) and (not needs or bool(set(needs.split("|")) & seen.pattern))
    return expected == _raised(seen, entity)


def _representatives(report: Report) -> list[str]:
    """Entities, one of each group that shares a counter: what is written counts as result."""
    names = list(report.entities)
    for result, relations in report.relation.items():
        shared = {r.partition(" ")[2] for r in relations if not r.startswith(("new", "raw"))}
        if not shared:
            names.append(result)
        elif shared & report.bumped:
            names = [name for name in names if name not in shared] + [result]
    listed = {name for name in names if name.startswith("ret.")}
    alike = all(listed <= seen.raising or not listed & seen.raising for seen in report.seen)
    if len(listed) == report.count and listed and alike:
        names = [name for name in names if name not in listed] + ["ret"]
    return names


def _entry(entity: str, seen: list[Seen], case: Case) -> str:
    """`entity`, `entity if a|b`, or "" for what is never saved."""
    raised = [s.pattern for s in seen if _raised(s, entity)]
    if not raised:
        return ""
    if len(raised) == len(seen):
        return entity
    needs = {next(iter(p)) for p in raised if len(p) == 1}
    if any(bool(s.pattern & needs) != _raised(s, entity) for s in seen):
        raise DisagreementError(f"saves: no condition for {entity} at {case.text}")
    return f"{entity} if {'|'.join(sorted(needs))}"


def _raised(seen: Seen, entity: str) -> bool:
    if entity == "ret":
        return any(name.startswith("ret") for name in seen.raising)
    return entity in seen.raising


def _clones(shown: Shown, mutated: list[str]) -> list[str]:
    entries = set()
    for case, report in shown:
        seen = _useful(report)
        cloned = [s.pattern for s in seen if s.cloned]
        if not mutated or not seen:
            continue
        needs = {next(iter(p)) for p in cloned if len(p) == 1}
        if any(bool(s.pattern & needs) != s.cloned for s in seen):
            raise DisagreementError(f"clones: no condition at {case.text}")
        whole = len(cloned) == len(seen)
        suffix = "" if whole else f" if {'|'.join(sorted(needs))}"
        entries.add(f"{mutated[0]}{suffix}" if cloned else "")
    if len(entries) > 1:
        raise DisagreementError(f"clones: {sorted(entries)}")
    return [entry for entry in entries if entry]


def _results(shown: Shown) -> dict[str, Any]:
    claims: dict[str, Any] = {}
    counts = {report.count for _, report in shown}
    tuples = any("ret.0" in report.relation for _, report in shown)
    numbers = _same([not report.is_tensor for _, report in shown], "number")
    relations = {
        relation for _, report in shown for each in report.relation.values() for relation in each
    }
    if numbers:
        claims["number"] = True
    elif tuples:
        many = len(counts) > 1 or any(text.startswith(("is", "view")) for text in relations)
        claims["results"] = -1 if many else counts.pop()
        names = _same([report.names for _, report in shown], "fields")
        if names:
            claims["fields"] = list(names)
    ret = " or ".join(sorted(relations, key=lambda text: (text == "new", text)))
    if ret not in ("", "new"):
        claims["ret"] = ret
    claims.update(_gradients(shown, claims.get("results", 1)))
    return claims


def _gradients(shown: Shown, results: int) -> dict[str, Any]:
    flags = []
    for _, report in shown:
        if any(seen.pattern for seen in report.seen):
            shown_flags = [int(flag) for flag in report.differentiable.values()]
            if results == -1 and len(set(shown_flags)) > 1:
                raise DisagreementError(f"diff: {shown_flags}")
            flags.append(shown_flags[:1] if results == -1 else shown_flags)
    if not flags:
        return {"diff": [0] * max(results, 1), "no_derivative": True}
    diff = _same(flags, "diff")
    if all(diff):
        return {}
    graph = any(seen.grad for _, report in shown for seen in report.seen)
    return {"diff": diff} if graph else {"diff": diff, "no_derivative": True}


def _layout(shown: Shown) -> dict[str, Any]:
    claims: dict[str, Any] = {}
    plain = [report for case, report in shown if contiguous_arguments(case)]
    if any(not report.contiguous for report in plain):
        claims["noncontig"] = True
    if any(report.expanded for report in plain):
        claims["expands"] = True
    dtypes = [
        (next(iter(report.dtypes.values()), set()), expected_dtype(case)) for case, report in shown
    ]
    kinds = {kind for found, _ in dtypes for kind in found}
    if any(expected and found and found != {expected} for found, expected in dtypes):
        if len(kinds) > 1:
            raise DisagreementError(f"dtype: {sorted(kinds)}")
        claims["dtype"] = kinds.pop()
    return claims
