"""A row is read in full, and refused with the word that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from inplace_lint.opdb.model import REQUIRED, Entity
from inplace_lint.opdb.parse import RuleError, parse_param, parse_returns, parse_row

ROW: dict[str, Any] = {
    "id": "mul_.Tensor",
    "api": ["Tensor.mul_"],
    "sig": ["self|input", "other", "p:num=0.5", "*", "out=None"],
    "saves": ["other if self"],
    "clones": ["self if other when p!=0"],
    "mut": ["self"],
    "ret": "is self",
}


def test_whole_row() -> None:
    rule = parse_row(ROW)
    assert [p.name for p in rule.sig] == ["self", "other", "p", "out"]
    assert rule.sig[0].aliases == ("input",)
    assert rule.sig[0].default is REQUIRED
    assert rule.sig[2].default == 0.5
    assert rule.sig[3].keyword_only
    assert rule.saves[0].needs == ("self",)
    assert rule.clones[0].when is not None
    assert rule.clones[0].when.text == "p!=0"
    assert rule.ret[0].entity == Entity("param", "self")
    assert rule.diff == (True,)


def test_results_and_attributes() -> None:
    rule = parse_row(
        {
            "id": "m",
            "api": ["nn.M"],
            "sig": ["input"],
            "kind": "module",
            "init": ["bias:bool=True"],
            "params": ["weight", "bias when bias", "out_proj.weight"],
            "saves": ["ret.1", "self.weight if self.weight|input", "self.out_proj.weight"],
            "results": 2,
        }
    )
    assert [entry.entity for entry in rule.saves] == [
        Entity("ret", "ret", 1),
        Entity("attr", "weight"),
        Entity("attr", "out_proj.weight"),
    ]
    assert rule.diff == (True, True)


def test_alternatives() -> None:
    parts = parse_returns("is input when p==0 or not training or view input or new")
    assert [part.how for part in parts] == ["is", "view", "new"]
    assert parts[0].when is not None
    assert parts[0].when.text == "p==0 or not training"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"save": ["self"]}, "no such word: 'save'; did you mean \"saves\"?"),
        ({"saves": ["slef"]}, "no parameter 'slef'; did you mean \"self\"?"),
        ({"saves": ["self if othr"]}, "no parameter 'othr' after if; did you mean \"other\"?"),
        ({"saves": ["self when q"]}, "no parameter 'q' after when"),
        ({"saves": ["self when p =="]}, "saves: not a test: 'p =='"),
        ({"saves": "self"}, "saves: expected a list of strings, found 'self'"),
        ({"saves": ["self other"]}, "saves: no entry: 'self other'"),
        ({"ret": "si self"}, "ret: no result: 'si self'"),
        ({"ret": "view"}, "ret: view needs an entity: 'view'"),
        ({"ret": "new self"}, "ret: new takes no entity: 'new self'"),
        (
            {"sig": ["self:tensr"]},
            "sig: no kind: 'tensr' in 'self:tensr'; did you mean \"tensor\"?",
        ),
        ({"sig": ["self=x y"]}, "sig: no literal: 'x y'"),
        ({"sig": ["*self"]}, "sig: no parameter: '*self'"),
        ({"diff": [2]}, "diff: expected a list of 0 and 1, found [2]"),
        ({"number": 1}, "number: expected bool, found 1"),
        ({"kind": "opp"}, "kind: 'opp' is none of"),
        ({"id": None}, "id: expected str, found None"),
    ],
)
def test_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError) as error:
        parse_row({**ROW, **change})
    assert message in str(error.value)


def test_missing_word() -> None:
    with pytest.raises(RuleError, match="sig is missing"):
        parse_row({"id": "a", "api": ["torch.a"]})


def test_param() -> None:
    param = parse_param("dim|axis:ints=(0, 1)")
    assert (param.name, param.aliases, param.kind, param.default) == (
        "dim",
        ("axis",),
        "ints",
        (0, 1),
    )
