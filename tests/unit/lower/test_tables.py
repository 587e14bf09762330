"""Long displays of literals: what they hold is what Python reads, at any size one op."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from inplace_lint import harness
from inplace_lint.ir.ops import MakeList, Rows, Table
from inplace_lint.ir.walk import walk
from inplace_lint.lower import lower_unit
from inplace_lint.lower.tables import LONG, rows_of
from inplace_lint.source import from_text

LITERALS = ["1", "-2.5", "0x_f", "1_0", "'a\\n'", "b'b'", '"""c"""', "None", "True", "...", "3j"]
NESTED = ["(1, 'a')", "[]", "[(None,), {2: [3]}]", "{'k': {1, 2}}", "()", "{}"]


def long(items: list[str], brackets: str = "[]") -> str:
    """A display that is long enough."""
    return brackets[0] + ", ".join((items * LONG)[:LONG]) + brackets[1]


def python(rows: object) -> object:
    """The value that rows stand for."""
    if not isinstance(rows, Rows):
        return rows
    items = [python(item) for item in rows.items]
    if rows.kind == "dict":
        return dict(zip(rows.keys, items, strict=True))
    return {"list": list, "tuple": tuple, "set": set}[rows.kind](items)


PAIRS = ", ".join(f"{number}: [{number}, 'x']" for number in range(LONG))


@pytest.mark.parametrize(
    "text",
    [long(LITERALS), long(NESTED), long(LITERALS, "()"), long(LITERALS, "{}"), f"{{{PAIRS}}}"],
)
def test_rows_are_what_python_reads(text: str) -> None:
    node = cst.parse_expression(text)
    assert isinstance(node, (cst.List, cst.Tuple, cst.Set, cst.Dict))
    assert python(rows_of(node)) == ast.literal_eval(text)


@pytest.mark.parametrize(
    "item", ["f()", "x", "-x", "*y", "+1", "'a' f'{b}'", "1 + 2", "[x]", "9" * 5000, "(z := 1)"]
)
def test_what_must_be_evaluated_is_no_table(item: str) -> None:
    node = cst.parse_expression(long(["1"]).replace("1", item, 1))
    assert isinstance(node, cst.List)
    assert rows_of(node) is None


def test_a_short_display_says_where_its_items_stand() -> None:
    assert rows_of(cst.ensure_type(cst.parse_expression("[1, 2]"), cst.List)) is None


@pytest.mark.parametrize("kind", [Table, MakeList])
def test_a_table_of_any_size_takes_one_step(kind: type) -> None:
    rows = "(1, 'a'), " * 20_000 + ("(x, 1)" if kind is MakeList else "")
    file = from_text(f"import torch\nx = 1\nROWS = [{rows}]\ny = torch.zeros(3)\ny.add_(x)\n")
    assert [op for op in walk(lower_unit(file.units[2]).body) if isinstance(op, kind)]
    told = [words for _, words in harness.analyse(file, harness.NoProject()).errors]
    steps = harness.analyse(file, harness.NoProject()).coverage["steps"]
    assert (steps < 100) == (kind is Table), told
