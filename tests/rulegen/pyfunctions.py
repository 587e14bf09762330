"""Python-level functions of the public namespaces and their signatures, as rows write them."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any

from tests.rulegen.bindings import public_object

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMESPACES = (
    "F",
    "torch",
    "Tensor",
    "torch.linalg",
    "torch.fft",
    "torch.special",
    "torch.sparse",
    "torch.masked",
    "torch.signal.windows",
    "init",
    "utils",
)

_TENSORS = frozenset(
    """
    A B LU M X a anchor attn_mask b bias bias_k bias_v grid hx in_proj_bias in_proj_weight indices
    input input1 input2 input_lengths k_proj_weight key key_padding_mask log_probs logits mat1 mat2
    mat_a mat_b negative offsets other out out_proj_bias out_proj_weight per_sample_weights
    pos_weight positive q_proj_weight query running_mean running_var self source static_k static_v
    target target_lengths targets tensor theta v_proj_weight value var weight window x x1 x2 y
    """.split()
)
_SIZES = frozenset(
    """
    size output_size kernel_size stride padding dilation normalized_shape s shape sizes dim dims
    split_size split_size_or_sections
    """.split()
)
_BY_TYPE = ((bool, "bool"), (str, "str"), (float, "num"), (int, "int"))

HIDDEN = {
    f"F.{pool}{n}d": f"F.{pool}{n}d_with_indices"
    for pool in ("max_pool", "adaptive_max_pool", "fractional_max_pool")
    for n in (1, 2, 3)
}
"""Functions made by boolean_dispatch: their signature is that of their twin."""


def python_functions() -> Iterator[tuple[str, list[str]]]:
    """Canonical name and `sig` of every public function written in Python."""
    for namespace in NAMESPACES:
        for name in sorted(dir(public_object(namespace))):
            api = f"{namespace}.{name}"
            value = public_object(api)
            if name.startswith("_") or not isinstance(value, types.FunctionType):
                continue
            yield api, signature_of(public_object(HIDDEN.get(api, api)))


def signature_of(function: Any, skip: int = 0) -> list[str]:
    """The `sig` of a Python function."""
    words: list[str] = []
    keyword_only = False
    for parameter in list(inspect.signature(function).parameters.values())[skip:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            words.append(f"{parameter.name}:tensors")
            keyword_only = False
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            words.append("*")
            keyword_only = True
        words.append(_word(parameter))
    return words


def _word(parameter: inspect.Parameter) -> str:
    kind = _kind(parameter)
    text = parameter.name if kind == "tensor" else f"{parameter.name}:{kind}"
    if parameter.default is parameter.empty:
        return text
    return f"{text}={_default(parameter.default)}"


def _default(value: Any) -> str:
    if isinstance(value, (bool, int, float, str, type(None), tuple)):
        return repr(value)
    return "None"


def _kind(parameter: inspect.Parameter) -> str:
    name, default = parameter.name, parameter.default
    if name in _TENSORS:
        return "tensor"
    if name in _SIZES:
        return "ints"
    if name in {"p", "dtype"}:
        return "num" if name == "p" else "dtype"
    for kind, word in _BY_TYPE:
        if isinstance(default, kind):
            return word
    return _by_annotation(str(parameter.annotation))


def _by_annotation(text: str) -> str:
    if "Tensor" in text:
        return "tensors" if "list[" in text or "tuple[" in text else "tensor"
    if "float" in text:
        return "num"
    if "list[int]" in text:
        return "ints"
    return {"<class 'int'>": "int", "int": "int", "bool": "bool", "str": "str"}.get(text, "any")
