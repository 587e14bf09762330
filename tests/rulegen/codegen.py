"""What each autograd kernel saves and which results are views, read from torchgen's own C++.

torchgen is in the torch wheel, and what it writes here is what was compiled into libtorch:

    if (grad_fn->should_compute_output(1)) {
      grad_fn->self_ = SavedVariable(self, false);       saves "self if other"
    }

An op whose kernel is composite has no autograd kernel of its own, even if a formula exists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import torchgen
from torchgen.api.autograd import match_differentiability_info
from torchgen.gen import parse_native_yaml
from torchgen.packaged.autograd.gen_inplace_or_view_type import gen_inplace_or_view_type_env
from torchgen.packaged.autograd.gen_variable_type import gen_variable_type_func
from torchgen.packaged.autograd.load_derivatives import load_derivatives

if TYPE_CHECKING:
    from torchgen.api.autograd import NativeFunctionWithDifferentiabilityInfo
    from torchgen.model import NativeFunction

PACKAGED = Path(torchgen.__file__).parent / "packaged"
NATIVE = PACKAGED / "ATen" / "native" / "native_functions.yaml"
TAGS = PACKAGED / "ATen" / "native" / "tags.yaml"
AUTOGRAD = PACKAGED / "autograd"

_SAVED = re.compile(
    r"grad_fn->\w+ = (?:SavedVariable|make_saved_variable_list)\((.+?), (true|false)[,)]"
)
_GUARD = re.compile(r"if \((grad_fn->should_compute_output\(.*)\) \{")
_EDGES = re.compile(r"collect_next_edges\( (.+?) \)")
_HISTORY = re.compile(r"(?:set|rebase)_history\((?:flatten_tensor_args\( (.+?) \)|(\w+))")
_VIEW = re.compile(r"as_view\((?:/\* base \*/ )?(\w+), .*?is_bw_differentiable \*/ (true|false)")


@dataclass
class Facts:
    """One kernel. `kernel` is "derivative", "none" (no grad_fn), "missing" or "composite"."""

    kernel: str
    saves: set[str] = field(default_factory=set)
    clones: set[str] = field(default_factory=set)
    outputs: tuple[str, ...] = ()
    view_of: str = ""
    multi_view: bool = False
    view_differentiable: bool = True


@cache
def natives() -> tuple[NativeFunction, ...]:
    """All native functions, generated variants included."""
    load_derivatives(str(AUTOGRAD / "derivatives.yaml"), str(NATIVE), str(TAGS))
    functions = parse_native_yaml(str(NATIVE), str(TAGS)).native_functions
    return tuple(sorted(functions, key=lambda function: str(function.func.name)))


@cache
def facts() -> dict[str, Facts]:
    """Facts by native overload."""
    infos, _ = load_derivatives(str(AUTOGRAD / "derivatives.yaml"), str(NATIVE), str(TAGS))
    matched = match_differentiability_info(list(natives()), infos)
    return {str(each.func.func.name): _facts_of(each) for each in matched}


def _facts_of(function: NativeFunctionWithDifferentiabilityInfo) -> Facts:
    native = function.func
    if native.has_composite_implicit_autograd_kernel:
        return Facts("composite")
    bodies = gen_variable_type_func(function).get("type_derived_method_definitions_Default", [])
    text = "\n".join(bodies)
    found = _read_kernel(text, native)
    views = gen_inplace_or_view_type_env(function)["inplace_or_view_method_definitions"]
    _read_view("\n".join(views), found)
    return found


def _read_kernel(text: str, native: NativeFunction) -> Facts:
    if not text.strip():
        return Facts("missing")
    if "grad_fn" not in text:
        return Facts("none")
    history = _HISTORY.search(text)
    outputs = (history.group(1) or history.group(2)).split(", ") if history else []
    found = Facts("missing" if "NotImplemented" in text else "derivative", outputs=tuple(outputs))
    names = result_names(native)
    edges = _EDGES.search(text)
    inputs = re.sub(r"\[i\]", "", edges.group(1)).split(", ") if edges else []
    guard: list[str] = []
    for line in text.splitlines():
        opened = _GUARD.search(line)
        if opened:
            indices = re.findall(r"should_compute_output\((\d+)\)", opened.group(1))
            guard = [inputs[int(index)] for index in indices]
        elif line.strip() == "}":
            guard = []
        saved = _SAVED.search(line)
        if saved:
            _note(found, saved.group(1), saved.group(2) == "true", guard, names)
    return found


def _note(
    found: Facts, expression: str, is_output: bool, guard: list[str], names: dict[str, str]
) -> None:
    entity = expression.replace("[i]", "")
    suffix = f" if {'|'.join(guard)}" if guard else ""
    if entity.startswith("original_self"):
        found.clones.add("self" + suffix)
    elif is_output:
        found.saves.add(names.get(entity, "ret"))
    else:
        found.saves.add(entity + suffix)


def result_names(native: NativeFunction) -> dict[str, str]:
    """C++ name of a result -> entity of the row."""
    returns = native.func.returns
    if len(returns) == 1:
        return {returns[0].name or "result": "ret", "result": "ret"}
    named = {each.name or f"result{at}": f"ret.{at}" for at, each in enumerate(returns)}
    return {**named, **{f"result{at}": f"ret.{at}" for at in range(len(returns))}}


def _read_view(text: str, found: Facts) -> None:
    view = _VIEW.search(text)
    if view is None:
        return
    found.view_of = view.group(1)
    found.view_differentiable = view.group(2) == "true"
    found.multi_view = "MULTI_OUTPUT_NODE" in text
