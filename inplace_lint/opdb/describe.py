"""Rows in plain words, and the questions one asks of the table.

describe(table, rule)        what `exp` saves, what you may overwrite, its in-place twin
saving(table, "result")      the ops that save their result
search(table, "batch norm")  the ops whose names or parameters hold these words
markdown(table)              the page of all ops
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from inplace_lint.opdb.model import TORCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inplace_lint.opdb.load import Table
    from inplace_lint.opdb.model import Entity, Entry, OpRule, Param, Returns

_RETURNS = {
    "new": "a new tensor",
    "is": "{} itself",
    "view": "a view of {}",
    "views": "several views of {}, which may not be written in place",
    "alias": "a tensor that shares the memory and the version counter of {}",
    "raw": "a tensor that shares the memory of {} but not its counter: writes to it go unnoticed",
}
_SOURCES = {
    "codegen": "read from the kernels that torch's code generator writes",
    "probe": "inferred from runs of torch",
    "hand": "written by hand",
}
_TENSORS = {"tensor", "tensors"}


def describe(table: Table, rule: OpRule) -> str:
    """One op in plain words."""
    return "".join(f"{line}\n" for line in _lines(table, rule))


def _lines(table: Table, rule: OpRule) -> Iterator[str]:
    yield f"{rule.id}: {', '.join(rule.api)}"
    yield _line("call", f"({', '.join(_parameters(rule.sig))})")
    yield _line("saves", entries_in_words(rule.saves) or "nothing")
    for title, entries in (
        ("copies", rule.clones),
        ("changes", rule.mut),
        ("unseen", rule.mut_silent),
    ):
        if entries:
            yield _line(title, entries_in_words(entries) + _REMARKS[title])
    yield _line("returns", " or ".join(map(returned_in_words, rule.ret)))
    free = ", ".join(overwritable(rule))
    if free:
        yield _line("free", f"{free}: may be overwritten afterwards")
    for twin in twins(table, rule):
        yield _line("in place", f"{twin.id} {compared(rule, twin)}")
    for remark in rule.maybe:
        yield _line("but", remark.text)
    yield _line("source", _source(rule))


_REMARKS = {
    "copies": ": a private copy of the old content, which may be overwritten afterwards",
    "changes": "",
    "unseen": ": without counting, so that backward does not notice",
}


def _line(title: str, text: str) -> str:
    return f"  {title:9}{text}"


def _parameters(sig: Iterable[Param]) -> Iterator[str]:
    starred = False
    for param in sig:
        if param.keyword_only and not starred:
            starred = True
            yield "*"
        yield param.name if param.required else f"{param.name}={param.default!r}"


def _source(rule: OpRule) -> str:
    text = f"torch {TORCH}, {_SOURCES.get(rule.src, rule.src or 'a row of your own')}"
    if rule.since or rule.until:
        text += f", for torch {rule.since or '...'} to {rule.until or '...'}"
    return text + (f"; tried with {rule.example}" if rule.example else "; not tried")


def entity_in_words(entity: Entity) -> str:
    """`its result`, `its result 1`, `self.weight`, `input`."""
    if entity.base == "ret":
        return "its result" if entity.index < 0 else f"its result {entity.index}"
    return f"self.{entity.name}" if entity.base == "attr" else entity.name


def entries_in_words(entries: Iterable[Entry]) -> str:
    """The entries of `saves`, `mut` and the like, with their conditions."""
    return "; ".join(map(_entry_in_words, entries))


def _entry_in_words(entry: Entry) -> str:
    text = entity_in_words(entry.entity)
    if entry.needs:
        verb = "require" if len(entry.needs) > 1 else "requires"
        text += f" if {' or '.join(entry.needs)} {verb} grad"
    return text + (f" when {entry.when.text}" if entry.when else "")


def returned_in_words(returns: Returns) -> str:
    """One alternative of `ret`."""
    of = entity_in_words(returns.entity) if returns.entity else ""
    return _RETURNS[returns.how].format(of) + (f" when {returns.when.text}" if returns.when else "")


def overwritable(rule: OpRule) -> list[str]:
    """The tensors, arguments and result, that nothing is kept of, whatever the call."""
    kept = {entry.entity.name for entry in rule.saves}
    names = [param.name for param in rule.sig if param.kind in _TENSORS and param.name != "out"]
    if any(each.how == "new" for each in rule.ret) and not rule.number:
        names.append("its result")
        kept |= {"its result"} if "ret" in kept else set()
    return [name for name in names if name not in kept]


# ---- in-place twins ------------------------------------------------------------------------


def twins(table: Table, rule: OpRule) -> list[OpRule]:
    """The in-place forms of an op that take the same arguments: exp_ of exp."""
    if rule.mut or rule.kind != "op":
        return []
    names = [f"{name}=" if name.startswith("op:") else f"{name}_" for name in rule.api]
    found = {each.id: each for name in names for each in table.named(name)}
    kinds = _kinds(rule)
    return [each for each in found.values() if _kinds(each)[: len(kinds)] == kinds]


def _kinds(rule: OpRule) -> list[str]:
    return [param.kind for param in rule.sig if param.name != "out" and param.required]


def compared(rule: OpRule, twin: OpRule) -> str:
    """How an in-place form differs in what it keeps."""
    first = rule.sig[0].name if rule.sig else ""
    result, operand = _keeps(twin, "ret"), _keeps(rule, first)
    if twin.clones:
        return "keeps a private copy of the old content, which may be overwritten afterwards"
    if result and not _keeps(rule, "ret") and operand:
        return f"changes side: it saves its result, where {rule.id} saves {first}"
    if result:
        return "saves its result too: do not change it again before backward"
    return "saves nothing of what it overwrites"


def _keeps(rule: OpRule, name: str) -> bool:
    return any(entry.entity.name == name for entry in rule.saves)


# ---- questions -----------------------------------------------------------------------------


def rules_of(table: Table) -> Iterator[OpRule]:
    """Every row, parsed."""
    for rule_id in table.ids():
        rule = table.rule(rule_id)
        if rule is not None:
            yield rule


def saving(table: Table, what: str) -> list[OpRule]:
    """Rows that save their "result", an "operand", a "parameter", or "nothing"."""
    bases = {"result": "ret", "operand": "param", "parameter": "attr"}
    if what == "nothing":
        return [rule for rule in rules_of(table) if not rule.saves]
    base = bases[what]
    return [r for r in rules_of(table) if any(entry.entity.base == base for entry in r.saves)]


def mutating(table: Table) -> list[OpRule]:
    """Rows that write to an argument."""
    return [rule for rule in rules_of(table) if rule.mut or rule.mut_silent]


def viewing(table: Table) -> list[OpRule]:
    """Rows whose result may share memory with an argument."""
    shared = {"view", "views", "alias", "raw"}
    return [rule for rule in rules_of(table) if any(each.how in shared for each in rule.ret)]


def search(table: Table, text: str) -> list[OpRule]:
    """Rows whose names, parameters and remarks hold all the words, in any case and spelling."""
    words = [_plain(word) for word in text.split()]
    return [rule for rule in rules_of(table) if all(word in _haystack(rule) for word in words)]


def _haystack(rule: OpRule) -> str:
    parameters = (param.name for param in (*rule.sig, *rule.init))
    remarks = (remark.text for remark in rule.maybe)
    return _plain(" ".join((rule.id, *rule.api, *parameters, *remarks)))


def _plain(text: str) -> str:
    return text.lower().replace("_", "")


# ---- the page of all ops -------------------------------------------------------------------

_HEAD = """# What the ops of PyTorch save, change and return

Made from the rule table by `pytest tests/unit/opdb --update`; [README.md](README.md) explains the
words. *Saves*: the tensors that backward needs unchanged. Where a condition is given the tensor is
saved only then. Private overloads (`torch._x`) are left out.
"""


def markdown(table: Table) -> str:
    """All public rows as Markdown, a table a namespace."""
    rows = [rule for rule in rules_of(table) if _public(rule)]
    rows.sort(key=lambda rule: (_namespace(rule), rule.id))
    parts = [_HEAD]
    for namespace, group in itertools.groupby(rows, _namespace):
        parts.append(f"\n## {namespace}\n\n| op | saves | changes | returns |\n|---|---|---|---|\n")
        parts.extend(map(_row_of_page, group))
    return "".join(parts)


def _public(rule: OpRule) -> bool:
    return any("._" not in name.replace("__", "") for name in rule.api)


def _namespace(rule: OpRule) -> str:
    name = rule.api[0]
    return "operators" if name.startswith("op:") else name.rpartition(".")[0] or "torch"


def _row_of_page(rule: OpRule) -> str:
    changes = entries_in_words((*rule.mut, *rule.mut_silent))
    returns = " or ".join(map(returned_in_words, rule.ret))
    cells = (f"`{rule.id}`", entries_in_words(rule.saves) or "-", changes or "-", returns)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
