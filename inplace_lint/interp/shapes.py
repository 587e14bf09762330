"""Shapes of arguments, as the table's overload resolution asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lint.domain.tensor import Tensor
from inplace_lint.domain.values import Const, External, ListValue, Number, TupleValue, settle

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value

DTYPES = {
    **dict.fromkeys(
        ("float", "float16", "float32", "float64", "half", "double", "bfloat16"), "float"
    ),
    **dict.fromkeys(("int", "long", "short", "int8", "int16", "int32", "int64", "uint8"), "int"),
    **dict.fromkeys(("complex64", "complex128", "cfloat", "cdouble", "complex32"), "complex"),
    "bool": "bool",
}
"""torch's dtypes by what matters here."""
NUMBERS = {bool: "bool", int: "int", float: "float", complex: "complex"}

_KINDS = {"bool": "bool", "str": "str", "dtype": "dtype", "none": "none"}


def shape_of(value: Value) -> str:
    """tensor, tensors, number, bool, str, none, ints, dtype or unknown."""
    value = settle(value)
    if isinstance(value, Tensor):
        return "tensor"
    if isinstance(value, Const):
        return _of_literal(value.value)
    if isinstance(value, Number):
        return _KINDS.get(value.kind, "number")
    if isinstance(value, (ListValue, TupleValue)):
        return _of_items([shape_of(item) for item in value.items])
    if isinstance(value, External) and dtype_of(value) is not None:
        return "dtype"
    return "unknown"


def _of_literal(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float, complex)):
        return "number"
    return "str" if isinstance(value, str) else "unknown"


def _of_items(shapes: list[str]) -> str:
    if "tensor" in shapes or "tensors" in shapes:
        return "tensors"
    if "unknown" in shapes:
        return "unknown"
    return "ints"


def dtype_of(value: Value) -> str | None:
    """What kind of dtype a value is ("float", "int" ...); None if it is no dtype in view."""
    value = settle(value)
    if isinstance(value, External) and value.path.startswith("torch."):
        return DTYPES.get(value.path.removeprefix("torch."))
    return None


def dtype_of_data(value: Value) -> str | None:
    """What kind of dtype a tensor of these numbers gets; None if they are not in view."""
    value = settle(value)
    if isinstance(value, (ListValue, TupleValue)):
        kinds = {dtype_of_data(item) for item in value.items}
        return kinds.pop() if len(kinds) == 1 else None
    return NUMBERS.get(type(value.value)) if isinstance(value, Const) else None
