"""One row an overload: names and signatures from `bindings`, facts from `codegen`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tests.rulegen.bindings import bindings
from tests.rulegen.codegen import Facts, facts, natives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchgen.model import NativeFunction, Return

Row: TypeAlias = "dict[str, Any]"

_NUMBERS = ("int", "SymInt", "float", "bool", "Scalar", "SymBool")


def codegen_rows() -> Iterator[Row]:
    """Rows of all bound overloads that have a kernel of their own (not composite)."""
    known = facts()
    for native in natives():
        rule_id = str(native.func.name)
        binding = bindings().get(rule_id)
        if binding is None or known[rule_id].kernel == "composite":
            continue
        for at, (sig, api) in enumerate(sorted(binding.names.items())):
            row: Row = {"id": rule_id if at == 0 else f"{rule_id}@{at}", "api": sorted(api)}
            row["sig"] = list(sig)
            row.update(_claims(native, known[rule_id]))
            row["src"] = "codegen"
            yield row


def _claims(native: NativeFunction, found: Facts) -> Row:
    written = [a.name for a in native.func.arguments.flat_all if a.is_write]
    claims: Row = {}
    for word, entries in (("saves", found.saves), ("clones", found.clones)):
        if entries:
            claims[word] = sorted(entries)
    if written:
        claims["mut"] = written
    ret = _ret(written, found)
    if ret != "new":
        claims["ret"] = ret
    claims.update(_results(native, found))
    return claims


def _ret(written: list[str], found: Facts) -> str:
    if written:
        return f"is {written[0]}"
    if found.view_of:
        return f"{'views' if found.multi_view else 'view'} {found.view_of}"
    return "new"


def _results(native: NativeFunction, found: Facts) -> Row:
    returns = native.func.returns
    claims: Row = {}
    if len(returns) != 1:
        claims["results"] = len(returns)
        if all(each.name for each in returns) and len(returns) > 1:
            claims["fields"] = [each.name for each in returns]
    elif str(returns[0].type).endswith("]"):
        claims["results"] = -1
    if returns and all(str(each.type) in _NUMBERS for each in returns):
        claims["number"] = True
    diff = [int(_differentiable(each, at, found)) for at, each in enumerate(returns)]
    if not all(diff):
        claims["diff"] = diff
        if not any(diff):
            claims["no_derivative"] = True
    if native.func.arguments.tensor_options is not None:
        claims["creates"] = True
    return claims


def _differentiable(result: Return, at: int, found: Facts) -> bool:
    if found.kernel != "derivative" or not found.view_differentiable:
        return False
    names = {result.name or "result", "result", "self", f"result{at}", "differentiable_outputs"}
    if any(name in {"result", "self", "differentiable_outputs"} for name in found.outputs):
        return True
    return bool(names & set(found.outputs))
