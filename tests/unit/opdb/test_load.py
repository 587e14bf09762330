"""The files of the table: well formed, in order, quick to index; files of the user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inplace_lint.opdb.load import FILES, Table, folder, load_extra, read_table
from inplace_lint.opdb.parse import RuleError, parse_row


@pytest.mark.parametrize("name", FILES)
def test_file_is_in_order(name: str) -> None:
    lines = (folder() / name).read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert ids == sorted(set(ids))
    assert [json.dumps(json.loads(line)) for line in lines] == lines


@pytest.mark.parametrize("name", FILES)
def test_every_row_parses(name: str) -> None:
    lines = (folder() / name).read_text(encoding="utf-8").splitlines()
    assert [rule.id for rule in map(parse_row, map(json.loads, lines))]


def test_every_line_is_indexed() -> None:
    lines = [line for name in FILES for line in (folder() / name).read_text().splitlines()]
    assert read_table().ids() == sorted({json.loads(line)["id"] for line in lines})


def test_no_hand_row_repeats_a_generated_one() -> None:
    told = ("example", "src")
    manual, generated = (
        {raw["id"]: {word: raw[word] for word in raw if word not in told} for raw in rows}
        for rows in (
            map(json.loads, (folder() / name).read_text(encoding="utf-8").splitlines())
            for name in FILES
        )
    )
    assert [rule_id for rule_id, row in manual.items() if generated.get(rule_id) == row] == []


def test_earlier_text_wins() -> None:
    table = Table()
    table.add_text('{"id": "a", "api": ["torch.b"], "sig": ["x"], "saves": ["x"]}\n')
    table.add_text('{"id": "a", "api": ["torch.a", "torch.b"], "sig": ["x"]}\n')
    assert table.named("torch.a") == []
    assert [len(rule.saves) for rule in table.named("torch.b")] == [1]
    assert table.names() == ["torch.b"]


def test_rows_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "ops.jsonl"
    file.write_text(
        '{"id": "ops.scale", "sig": ["x", "by"], "api": ["ops.scale"]}\n\n'
        '{"id":"ops.half","api":["ops.half"],"sig":["x"],"mut":["x"],"ret":"is x"}\n',
        encoding="utf-8",
    )
    assert [rule.id for rule in load_extra(file)] == ["ops.scale", "ops.half"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ":2: not JSON"),
        ("[]", ":2: expected an object"),
        (
            '{"id": "a", "api": ["a"], "sig": ["x"], "savs": []}',
            ":2: no such word: 'savs'; did you mean \"saves\"?",
        ),
    ],
)
def test_wrong_row_of_the_user(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "ops.jsonl"
    file.write_text('{"id": "ok", "api": ["ok"], "sig": []}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(RuleError) as error:
        load_extra(file)
    assert str(error.value).startswith(f"{file}{message}")
