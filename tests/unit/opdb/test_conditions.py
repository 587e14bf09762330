"""Conditions are evaluated in three values."""

from __future__ import annotations

import pytest

from inplace_lint.opdb.conditions import TENSOR, ConditionError, names_in, parse_condition
from inplace_lint.opdb.model import UNKNOWN, Known

VALUES: dict[str, Known] = {
    "p": 0.5,
    "zero": 0,
    "mode": "area",
    "none": None,
    "flag": True,
    "off": False,
    "what": UNKNOWN,
    "x": TENSOR,
    "self.training": False,
    "size": (1, 1),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flag", True),
        ("not flag", False),
        ("what", None),
        ("not what", None),
        ("flag and what", None),
        ("off and what", False),
        ("flag or what", True),
        ("off or what", None),
        ("off or flag", True),
        ("p==0.5", True),
        ("p!=0", True),
        ("zero", False),
        ("p>what", None),
        ("p<1", True),
        ("p<=mode", None),
        ("mode=='area'", True),
        ("mode in ('area', 'nearest')", True),
        ("mode not in ('nearest',)", True),
        ("size in (1, (1, 1))", True),
        ("what in (1, 2)", None),
        ("none is None", True),
        ("x is None", False),
        ("x is not None", True),
        ("x==0", None),
        ("x", None),
        ("what is None", None),
        ("tensor(x)", True),
        ("tensor(p)", False),
        ("tensor(what)", None),
        ("number(p)", True),
        ("number(x)", False),
        ("number(none)", False),
        ("not self.training or p==0", True),
        ("p==-1", False),
    ],
)
def test_value(text: str, expected: bool | None) -> None:
    assert parse_condition(text).holds(lambda name: VALUES.get(name, UNKNOWN)) is expected


@pytest.mark.parametrize("text", ["p ==", "f(p)", "tensor(p, x)", "p == q[0]", "lambda: 1"])
def test_no_condition(text: str) -> None:
    with pytest.raises(ConditionError):
        parse_condition(text)


def test_names() -> None:
    assert names_in("not self.training or tensor(p) and q!=1") == {"self.training", "p", "q"}
