"""One row an overload: names and signatures, what torchgen says, what torch shows.

A *candidate* is an overload before its facts are known. Its calls (samples, calls.txt) are
observed; a kernel with a formula takes `saves` and `clones` from the C++, everything else what
the calls showed. Where the calls disagree the row rests on the first and says `maybe`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import torch

from inplace_lint.opdb.parse import parse_row
from inplace_lint.opdb.resolve import bind, choose
from tests.rulegen.bindings import bindings
from tests.rulegen.codegen import Facts, facts, natives
from tests.rulegen.examples import cases_of
from tests.rulegen.infer import DisagreementError, claims_of
from tests.rulegen.observe import flat, observe
from tests.rulegen.pyfunctions import python_functions
from tests.rulegen.samples import op_db_calls, runs
from tests.rulegen.trial import accepts_overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchgen.model import NativeFunction

    from inplace_lint.opdb.model import OpRule
    from tests.rulegen.examples import Case
    from tests.rulegen.observe import Report

Row: TypeAlias = "dict[str, Any]"

CALLS = Path(__file__).with_name("calls.txt")
EXAMPLES = 4
"""Calls kept in a row, at most."""

_WORDS = (
    *("id", "api", "sig", "saves", "clones", "mut", "mut_silent", "ret", "results", "fields"),
    *("diff", "dtype", "creates", "number", "expands", "noncontig", "overlap_ok"),
    *("no_derivative", "owns_number", "maybe", "since", "example", "src"),
)
_SINCE = {
    **dict.fromkeys(("ldexp.Tensor", "ldexp_", "aminmax", "nextafter", "nextafter_"), "2.13"),
    **dict.fromkeys(("linalg_lstsq",), "2.13"),
    **dict.fromkeys(("embedding", "mean.dim", "im2col", "lu_unpack", "ormqr"), "2.6"),
}
"""Rows that torch 2.6 (for "2.13") and torch 1.13 (for "2.6") are known to contradict."""
_ELSEWHERE = re.compile("cudnn|miopen|mkldnn|mps|flash|efficient|triton|_thnn_fused|_fused_")
"""Kernels that a CPU does not run; their rows rest on the source alone and say so."""


@dataclass
class Candidate:
    """An overload and the calls that belong to it."""

    rule: OpRule
    head: Row
    native: NativeFunction | None = None
    told: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def candidates() -> list[Candidate]:
    """All overloads and Python functions of the public namespaces."""
    found = []
    by_id = {str(native.func.name): native for native in natives()}
    for rule_id, binding in bindings().items():
        for at, (sig, names) in enumerate(sorted(binding.names.items())):
            head = {"id": rule_id if at == 0 else f"{rule_id}@{at}", "api": sorted(names)}
            head["sig"] = list(sig)
            found.append(Candidate(parse_row(head), head, by_id[rule_id]))
    for api, python_sig in python_functions():
        head = {"id": f"py:{api}", "api": [api], "sig": python_sig}
        found.append(Candidate(parse_row(head), head))
    return found


def shape_of(value: Any) -> str:
    """The shape of an argument, as `resolve` speaks of it."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, (list, tuple)):
        return "tensors" if flat(value) else "ints"
    for kind, shape in _SHAPES:
        if isinstance(value, kind):
            return shape
    return "none" if value is None else "unknown"


_SHAPES: tuple[tuple[Any, str], ...] = (
    (bool, "bool"),
    ((int, float, complex), "number"),
    (str, "str"),
    (torch.dtype, "dtype"),
)


def distribute(found: list[Candidate]) -> None:
    """Give each call to the overload that it means: those of calls.txt as `told`."""
    by_api: dict[str, list[Candidate]] = {}
    for candidate in found:
        for api in candidate.rule.api:
            by_api.setdefault(api, []).append(candidate)
    for text in filter(None, CALLS.read_text(encoding="utf-8").splitlines()):
        meant = _meant(by_api.get(cases_of(text)[0].api, []), text)
        if meant is not None:
            meant.told.append(text)
    for api, texts in op_db_calls().items():
        for text in texts:
            meant = _meant(by_api.get(api, []), text)
            if meant is not None:
                meant.texts.append(text)


def _meant(candidates: list[Candidate], text: str) -> Candidate | None:
    case = cases_of(text)[0]
    rule = choose(
        [candidate.rule for candidate in candidates],
        [shape_of(thunk()) for thunk in case.args],
        {word: shape_of(thunk()) for word, thunk in case.words.items()},
    )
    return next((candidate for candidate in candidates if candidate.rule is rule), None)


def generate() -> Iterator[tuple[Row, str]]:
    """Each row with the reason why its calls disagree, or ""."""
    found = candidates()
    distribute(found)
    for candidate in found:
        yield from row_of(candidate)


def row_of(candidate: Candidate) -> Iterator[tuple[Row, str]]:
    """The row of a candidate; none if there is nothing to tell it by."""
    native = candidate.native
    known = Facts("composite") if native is None else facts()[str(native.func.name)]
    shown = list(_shown(candidate))
    if not shown and not (known.kernel == "derivative" and _ELSEWHERE.search(candidate.rule.id)):
        return
    claims, reason = _agreed(shown) if shown else ({}, "")
    row = {**candidate.head, **claims}
    if native is not None and known.kernel == "derivative":
        for word in ("saves", "clones"):
            row.pop(word, None)
        row.update(_kernel_claims(known, bool(shown)))
    if native is not None:
        row.update(_schema_claims(native, row, bool(shown)))
    if shown:
        row["example"] = "; ".join(case.text for case, _ in shown)
        answers = {accepts_overlap(case) for case, _ in shown} - {None}
        if row.get("mut") and answers == {True}:
            row["overlap_ok"] = True
    else:
        row["maybe"] = [
            "*: runs on another backend, read from torch's source, not confirmed by a run"
        ]
    row["src"] = "codegen" if known.kernel == "derivative" else "probe"
    if candidate.rule.id in _SINCE:
        row["since"] = _SINCE[candidate.rule.id]
    if reason:
        row["maybe"] = ["other arguments may take another branch"]
    yield {word: row[word] for word in _WORDS if word in row}, reason


def _shown(candidate: Candidate) -> Iterator[tuple[Case, Report]]:
    chosen = [text for text in dict.fromkeys(candidate.told) if runs(text)][:EXAMPLES]
    forms = {_form(cases_of(text)[0]) for text in chosen}
    for text in sorted({*candidate.texts, *map(_widened, candidate.texts)}, key=_plainness):
        if len(chosen) < EXAMPLES and runs(text) and _form(cases_of(text)[0]) not in forms:
            chosen.append(text)
            forms.add(_form(cases_of(text)[0]))
    for text in chosen:
        case = cases_of(text)[0]
        try:
            yield case, observe(case, bind(candidate.rule, len(case.args), case.words))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
            continue


def _form(case: Case) -> tuple[str, ...]:
    """What calls of one overload differ in: which arguments are given, and as what."""
    words = sorted((word, shape_of(thunk())) for word, thunk in case.words.items())
    return (*(shape_of(thunk()) for thunk in case.args), *(f"{w}={s}" for w, s in words))


def _plainness(text: str) -> tuple[bool, int, str]:
    case = cases_of(text)[0]
    try:
        tensors = [each for thunk in case.args for each in flat(thunk())]
    except (RuntimeError, TypeError):
        tensors = []
    return not tensors or tensors[0].dim() < 2, len(text), text


def _widened(text: str) -> str:
    """The call with matrices for vectors and scalars: only they show strides."""
    return re.sub(r"\b([tibc])\(\d*\)", r"\1(2,3)", text)


def _agreed(shown: list[tuple[Case, Report]]) -> tuple[Row, str]:
    try:
        return claims_of(shown), ""
    except DisagreementError as reason:
        first = shown[0]
        try:
            claims = claims_of([first])
        except DisagreementError as again:
            return {}, f"{reason}; {again}"
        del shown[1:]
        return claims, str(reason)


def _kernel_claims(known: Facts, shown: bool) -> Row:
    """What the C++ says; views and results too where no call was seen."""
    claims: Row = {}
    for word, entries in (("saves", known.saves), ("clones", known.clones)):
        if entries:
            claims[word] = sorted(entries)
    if known.view_of and not shown:
        claims["ret"] = f"{'views' if known.multi_view else 'view'} {known.view_of}"
    return claims


_NUMBERS = ("int", "SymInt", "float", "bool", "Scalar", "SymBool")


def _schema_claims(native: NativeFunction, row: Row, shown: bool) -> Row:
    """What the schema says: factories, lists; all of the results where no call was seen."""
    claims: Row = {}
    returns = native.func.returns
    if native.func.arguments.tensor_options is not None:
        claims["creates"] = True
    if len(returns) == 1 and str(returns[0].type).endswith("]"):
        claims["results"] = -1
        if len(set(row.get("diff", [1]))) == 1 and "diff" in row:
            claims["diff"] = row["diff"][:1]
    written = [a.name for a in native.func.arguments.flat_all if a.is_write]
    if shown:
        if written and not returns:
            claims.update(ret=f"is {written[0]}", results=-1 if "results" in row else 1)
        return claims
    if written:
        claims.update(mut=written, ret=f"is {written[0]}")
    if len(returns) > 1:
        claims["results"] = len(returns)
        if all(each.name for each in returns):
            claims["fields"] = [each.name for each in returns]
    if returns and all(str(each.type) in _NUMBERS for each in returns):
        claims["number"] = True
    if facts()[str(native.func.name)].kernel != "derivative":
        claims.update(diff=[0] * max(len(returns), 1), no_derivative=True)
    return claims
