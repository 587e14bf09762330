"""Test frameworks: what stands in `pytest.raises` is meant to fail, and is not told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.values import External, Instance, Unknown
from inplace_lint.interp.contexts import Manager
from inplace_lint.interp.dispatch import model

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.dispatch import Call
    from inplace_lint.interp.state import State

TEST_CASE = "unittest.TestCase"


@model("pytest.raises", f"{TEST_CASE}.assertRaises", f"{TEST_CASE}.assertRaisesRegex")
def raises(state: State, call: Call) -> Value:
    """`with pytest.raises(RuntimeError):`"""

    def enter(inner: State) -> Value:
        inner.silent += 1
        return Unknown(f"value:{inner.next()}", "data", "raised")

    def leave(inner: State) -> None:
        inner.silent -= 1

    return Instance(External("pytest.raises"), native=Manager(enter, leave))
