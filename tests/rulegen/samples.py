"""Example calls for the public names, taken from torch's own test inputs (op_db).

A sample is turned into text over the makers of `examples` and kept if that text runs; values
matter little to what is saved, shapes and literals do.
"""

from __future__ import annotations

import itertools
import random
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from tests.rulegen.bindings import public_object
from tests.rulegen.examples import cases_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 400
"""Elements of a tensor in an example, at most."""
SAMPLES = 60
"""Samples looked at, per entry of op_db."""


class NoTextError(ValueError):
    """A value that has no place in an example."""


@cache
def op_db_calls() -> dict[str, list[str]]:
    """Runnable calls by public name, shortest first."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: dict[str, set[str]] = {}
    random.seed(0)
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for api, text in itertools.chain.from_iterable(map(_calls_of, op_db)):
            found.setdefault(api, set()).add(text)
    return {api: sorted(texts, key=lambda text: (len(text), text)) for api, texts in found.items()}


def _calls_of(op: Any) -> Iterator[tuple[str, str]]:
    names = list(dict.fromkeys(_names(op)))
    dtype = torch.float32 if torch.float32 in op.dtypes else torch.int64
    try:
        samples = list(op.sample_inputs("cpu", dtype))[:SAMPLES]
    except Exception:
        return
    for sample in samples:
        try:
            args = [text_of(value) for value in (sample.input, *sample.args)]
            words = {word: text_of(value) for word, value in sample.kwargs.items()}
        except NoTextError:
            continue
        for api in names:
            yield api, call_text(api, args, words)


def call_text(api: str, args: list[str], words: dict[str, str]) -> str:
    """`F.relu(t(2,3))`, or `t(2,3).relu()` for a method."""
    rest = args[1:] if api.startswith("Tensor.") else args
    inner = ", ".join([*rest, *(f"{word}={value}" for word, value in words.items())])
    if api.startswith("Tensor."):
        return f"{args[0]}.{api[7:]}({inner})"
    return f"{api}({inner})"


def _names(op: Any) -> Iterator[str]:
    """Public names whose object op_db calls with just these arguments."""
    for each in (op, *op.aliases):
        api = each.name.replace("nn.functional.", "F.")
        api = api if api.startswith("F.") else f"torch.{api}"
        if public_object(api) is not None and public_object(api) is each.op:
            yield api
        yield from _variants(each)


def _variants(op: Any) -> Iterator[str]:
    """The method and the in-place method, with its function `torch.exp_`."""
    for variant in (op.method_variant, op.inplace_variant):
        name = getattr(variant, "__name__", "")
        if not name or getattr(torch.Tensor, name, None) is not variant:
            continue
        yield f"Tensor.{name}"
        if name.endswith("_") and public_object(f"torch.{name}") is not None:
            yield f"torch.{name}"


def text_of(value: Any) -> str:
    """A value as an expression over the makers."""
    if isinstance(value, torch.Tensor):
        return _tensor_text(value)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(text_of(item) for item in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, torch.dtype):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return repr(value)
    raise NoTextError(repr(type(value)))


def _tensor_text(value: torch.Tensor) -> str:
    if value.layout is not torch.strided or value.numel() > LARGEST or value.numel() == 0:
        raise NoTextError("a tensor of this layout or size")
    shape = ",".join(map(str, value.shape))
    if value.dtype is torch.bool:
        return f"b({shape})"
    if value.is_complex():
        return f"c({shape})"
    return f"t({shape})" if value.is_floating_point() else f"i({shape})"


def runs(text: str) -> bool:
    """Whether the call can be made."""
    try:
        case = cases_of(text)[0]
        func = case.func if case.module is None else case.module()
        assert func is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            func(*(thunk() for thunk in case.args), **{w: v() for w, v in case.words.items()})
    except Exception:
        return False
    return True
