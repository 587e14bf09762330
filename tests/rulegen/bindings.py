"""Public names and Python signatures of the native overloads, from torchgen's binding generator."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch.nn import functional
from torchgen.model import SchemaKind, Variant
from torchgen.packaged.autograd.gen_python_functions import (
    load_signatures,
    should_generate_py_binding,
)

from tests.rulegen.codegen import AUTOGRAD, natives

if TYPE_CHECKING:
    from torchgen.api.python import PythonArgument, PythonSignature
    from torchgen.model import NativeFunction

_ROOTS = {
    "torch": torch,
    "Tensor": torch.Tensor,
    "F": functional,
    "nn": torch.nn,
    "init": torch.nn.init,
    "optim": torch.optim,
    "utils": torch.nn.utils,
}

_KINDS = (
    (r"Tensor\??\[.*", "tensors"),
    (r"Tensor\??$", "tensor"),
    (r"Scalar\??$|float\??$", "num"),
    (r"(Sym)?[iI]nt\??$", "int"),
    (r"bool\??$", "bool"),
    (r"str\??$", "str"),
    (r"((Sym)?[iI]nt|Scalar|float|bool)\[.*", "ints"),
    (r"ScalarType\??$", "dtype"),
)
_DEFAULTS = {
    "::std::nullopt": "None",
    "{}": "None",
    "at::Reduction::Mean": "'mean'",
    "MemoryFormat::Contiguous": "None",
    "c10::MemoryFormat::Contiguous": "None",
    "at::kLong": "None",
}

_NAMESPACES = ("torch", "torch.special", "torch.linalg", "torch.fft", "torch.sparse", "F")


@dataclass
class Binding:
    """How Python calls one overload: names by signature."""

    names: dict[tuple[str, ...], list[str]] = field(default_factory=dict)


@cache
def bindings() -> dict[str, Binding]:
    """Bindings by native overload; out= overloads are folded into the functional ones.

    A name that Python code hides (`torch.norm` is a Python function) is left out. Function and
    method share one signature where they differ only in `out=` and in the name of the receiver.
    """
    functions = [function for function in natives() if should_generate_py_binding(function)]
    found: dict[str, Binding] = {}
    deprecated = str(AUTOGRAD / "deprecated.yaml")
    for method in (False, True):
        for pair in load_signatures(functions, deprecated, method=method, skip_deprecated=True):
            native = pair.function
            if native.func.is_out_fn() or not _bound(native.variants, method):
                continue
            sig = signature(pair.signature, method)
            if not method and str(native.func.name) in _with_out():
                sig = (*sig, *(() if "*" in sig else ("*",)), "out=None")
            for api in public_names(native, method):
                _add(found.setdefault(str(native.func.name), Binding()), sig, api)
    return found


@cache
def _by_object() -> dict[int, list[str]]:
    """Public names by the C function they stand for: F.conv2d is torch.conv2d."""
    found: dict[int, list[str]] = {}
    for namespace in _NAMESPACES:
        for name in sorted(dir(public_object(namespace))):
            api = f"{namespace}.{name}"
            if is_builtin(api):
                found.setdefault(id(public_object(api)), []).append(api)
    return found


def _add(binding: Binding, sig: tuple[str, ...], api: str) -> None:
    for known, names in binding.names.items():
        if _without_out(known) == _without_out(sig):
            names.append(api)
            return
    binding.names[sig] = [api]


def _without_out(sig: tuple[str, ...]) -> tuple[str, ...]:
    kept = [word.replace("self|input", "self") for word in sig if word != "out=None"]
    return tuple(kept[:-1] if kept and kept[-1] == "*" else kept)


def public_names(native: NativeFunction, method: bool) -> list[str]:
    """`torch.linalg.norm` for linalg_norm, `Tensor.add_` for the method add_.

    Python code may hide a binding of the same name (`torch.norm`): then it has no public name.
    """
    name = str(native.func.name.name)
    if method:
        api = f"Tensor.{name}"
        return [api] if is_builtin(api) else []
    module = native.python_module
    holder = torch if module is None else getattr(torch._C, f"_{module}")
    return _by_object().get(id(getattr(holder, name, None)), [])


def is_builtin(api: str) -> bool:
    """Whether the public object is the C binding itself."""
    value = public_object(api)
    return type(value).__name__ in {
        "builtin_function_or_method",
        "method_descriptor",
        "wrapper_descriptor",
    }


def public_object(api: str) -> object:
    """What a canonical name stands for, None if there is no such thing."""
    root, _, rest = api.partition(".")
    value: object = _ROOTS[root]
    for part in filter(None, rest.split(".")):
        value = getattr(value, part, None)
    return value


def _bound(variants: set[Variant], method: bool) -> bool:
    return (Variant.method if method else Variant.function) in variants


@cache
def _with_out() -> frozenset[str]:
    """Functional overloads that have an out= twin bound in Python."""
    by_signature: dict[str, str] = {}
    for native in natives():
        if native.func.kind() is SchemaKind.functional:
            by_signature[str(native.func.signature())] = str(native.func.name)
    outs = (
        by_signature.get(str(native.func.signature()))
        for native in natives()
        if native.func.is_out_fn() and should_generate_py_binding(native)
    )
    return frozenset(name for name in outs if name)


def signature(python: PythonSignature, method: bool) -> tuple[str, ...]:
    """The `sig` of a row."""
    positional = [parameter(argument) for argument in python.input_args]
    if method:
        positional.insert(0, "self")
    keywords = [parameter(argument) for argument in python.input_kwargs]
    keywords += [parameter(argument) for argument in python.tensor_options_args]
    return (*positional, *(["*", *keywords] if keywords else []))


def parameter(argument: PythonArgument) -> str:
    """One parameter in the notation of a row."""
    kind = kind_of(str(argument.type))
    text = "self|input" if argument.name == "self" else argument.name
    if kind != "tensor":
        text += f":{kind}"
    if argument.default is not None:
        text += f"={default_of(str(argument.default), kind)}"
    return text


def kind_of(type_name: str) -> str:
    """Kind of a parameter by its schema type."""
    for pattern, kind in _KINDS:
        if re.match(pattern, type_name):
            return kind
    return "any"


def default_of(text: str, kind: str) -> str:
    """A Python literal for a C++ default."""
    if text in _DEFAULTS or text in {"False", "True"}:
        return _DEFAULTS.get(text, text)
    if text.startswith("{") and text.endswith("}"):
        return f"({text[1:-1]},)"
    if re.fullmatch(r"-?\d+(\.\d*)?(e-?\d+)?", text):
        return text
    return repr(text.strip('"')) if kind == "str" else "None"
