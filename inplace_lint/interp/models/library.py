"""Objects of library classes: how they are built, called, and what their methods are.

`torch.nn` classes come from the table (kind "module"), optimizers likewise; what is not there is
generic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inplace_lint.domain.values import (
    NONE,
    TRUE,
    Bound,
    ClassValue,
    DictValue,
    External,
    Instance,
    ListValue,
    Number,
    TupleValue,
    Unknown,
    literal,
    settle,
)
from inplace_lint.interp import (
    acts,
    attributes,
    calls,
    generic,
    lookup,
    ownership,
    rows,
    transfer,
    unknowns,
)
from inplace_lint.interp.dispatch import MODELS, Call, run_model
from inplace_lint.interp.exceptions import is_exception
from inplace_lint.interp.models import autograd_function, module_hooks, registries
from inplace_lint.interp.operation import Operation
from inplace_lint.interp.operation import lookup as literal_of
from inplace_lint.interp.shapes import shape_of
from inplace_lint.opdb import resolve

if TYPE_CHECKING:
    from inplace_lint.domain.values import Value
    from inplace_lint.interp.state import State
    from inplace_lint.opdb.model import OpRule

NOT_TENSORS = (
    "numpy.",
    "np.",
    "math.",
    "os.",
    "random.",
    "time.",
    "logging.",
    "json.",
    "re.",
    "sys.",
    *("jax.", "tensorflow.", "eagerpy.", "cupy.", "mxnet.", "paddle.", "scipy.", "pandas."),
    *("cv2.", "PIL.", "skimage.", "sklearn."),
)
"""Libraries whose functions give no tensors."""


@acts.call_library.bind
def call(state: State, path: str, call: Call) -> Value:
    """A library function or class that has neither model nor row."""
    name = path.rpartition(".")[2]
    if path.startswith(NOT_TENSORS):
        return Number(f"value:{state.next()}")
    if is_exception(path):
        return Instance(External(path), attrs={"args": TupleValue(tuple(call.args))})
    if path.startswith("builtins."):
        return Unknown(f"value:{state.next()}", "result", name, operands=tuple(rows.tensors(call)))
    if name[:1].isupper():
        return _foreign_object(state, path, name, call)
    return unknowns.result(state, name, rows.tensors(call), rows.has_tensors(call))


def _foreign_object(state: State, path: str, name: str, call: Call) -> Value:
    """An instance of a class that is not in view: perhaps a module, an optimizer, a result."""
    made = unknowns.result(state, name, rows.tensors(call), rows.has_tensors(call))
    made.origin = "object"
    made.attrs["<class>"] = External(path)
    return made


# ---- construction --------------------------------------------------------------------------


@acts.construct_row.bind
def construct_row(state: State, path: str, call: Call) -> Value:
    """`nn.Linear(3, 4)`: an instance of a library class that the table describes."""
    obj = Instance(External(f"torch.{path}" if path.startswith("nn.") else path))
    obj.made = state.here()
    initialise(state, obj, path, call)
    return obj


@acts.initialise.bind
def initialise(state: State, obj: Instance, path: str, call: Call) -> None:
    """What a library's `__init__` sets: settings, parameters, buffers."""
    name = resolve.canonical(path)
    special = MODELS.get(f"{name}.__init__")
    if special is not None:
        special(state, Call([obj, *call.args], call.keywords, call.open))
        return
    rules = [rule for rule in resolve.find(name) if rule.kind in {"module", "optimizer"}]
    if rules:
        _initialise_module(state, obj, rules[0], call)


def _initialise_module(state: State, obj: Instance, rule: OpRule, call: Call) -> None:
    binding = resolve.bind_init(rule, len(call.args), call.keywords)
    obj.init.update(rows.gather(binding, call.args, call.keywords))
    obj.attrs.setdefault("training", TRUE)
    for param in rule.init:
        if param.name in obj.init:
            obj.attrs.setdefault(param.name, obj.init[param.name])
    operation = Operation(rule, {}, obj)
    for role, entries in (("parameter", rule.params), ("buffer", rule.buffers)):
        for entry in entries:
            holds = entry.when is None or entry.when.holds(lambda n: literal_of(operation, n))
            if holds is not False:
                obj.attrs[entry.entity.name] = ownership.own_tensor(
                    state, obj, entry.entity.name, role
                )
            else:
                obj.attrs[entry.entity.name] = NONE


# ---- calls ---------------------------------------------------------------------------------


@acts.call_instance.bind
def call_instance(state: State, obj: Instance, call: Call) -> Value:
    """Call an object: its forward() in view, its row, or a generic module."""
    native = obj.attrs.get("__call__")
    if native is not None:
        return calls.call(state, native, call)
    return _call_module(state, obj, call)


def _call_module(state: State, obj: Instance, call: Call) -> Value:
    """nn.Module.__call__: forward() with the hooks around it."""
    if obj.attrs.get("<hooks>") is not None:
        return module_hooks.call(state, obj, call, run_forward)
    return run_forward(state, obj, call)


def run_forward(state: State, obj: Instance, call: Call) -> Value:
    """forward() itself, without hooks."""
    method = lookup.find_method(obj, "forward")
    if "forward" in obj.attrs:
        return calls.call(state, obj.attrs["forward"], call)
    if method is not None:
        return calls.call_method_with(state, obj, method, call)
    return library_forward(state, obj, call)


def library_forward(state: State, obj: Instance, call: Call) -> Value:
    """The forward() of a library class: a model, or the row of the table."""
    for cls in lookup.classes_of(obj):
        if not isinstance(cls, External):
            continue
        path = resolve.canonical(cls.path)
        run = MODELS.get(f"{path}.forward")
        if run is not None:
            given = Call([obj, *call.args], call.keywords, call.open)
            value = run_model(run, state, given)
            if value is not None:
                return value
        if resolve.find(path):
            return apply_row(state, obj, path, call)
    return generic.call_object(state, obj, call)


def apply_row(state: State, obj: Instance, path: str, call: Call) -> Value:
    """The row of a library module, over its own parameters."""
    args = [settle(arg) for arg in call.args]
    keywords = {name: settle(value) for name, value in call.keywords.items()}
    shapes = tuple([(name, shape_of(value)) for name, value in keywords.items()])
    found = resolve.chosen(path, tuple(map(shape_of, args)), shapes)
    if found is None:
        rule = resolve.find(path)[0]
        found = rule, resolve.bind(rule, len(args), keywords)
    rule, binding = found
    bound = rows.gather(binding, args, keywords)
    label = path
    inplace = literal(obj.init["inplace"]) if "inplace" in obj.init else None
    mutator = f"{path}(inplace=True)" if inplace is True else label
    made_in = obj.made.unit if obj.made is not None else None
    made_up_call = not state.frames
    own_class = made_in is state.here().unit and (made_in.kind == "class" or made_up_call)
    state.blame = obj.made if state.contained and inplace is True and own_class else None
    try:
        return transfer.apply(state, Operation(rule, bound, obj, label, mutator=mutator))
    finally:
        state.blame = None


# ---- methods -------------------------------------------------------------------------------


@acts.library_attribute.bind
def attribute(state: State, obj: Instance, cls: External, name: str) -> Value | None:
    """What a library class gives its instances under this name; None if nothing we know."""
    path = resolve.canonical(cls.path)
    if f"{path}.{name}" in MODELS:
        return Bound(External(f"{cls.path}.{name}"), obj)
    if lookup.is_module_class(obj.cls) and f"nn.Module.{name}" in MODELS:
        return Bound(External(f"torch.nn.Module.{name}"), obj)
    if path.startswith("optim.") and f"optim.Optimizer.{name}" in MODELS:
        return Bound(External(f"torch.optim.Optimizer.{name}"), obj)
    if lookup.is_module_class(obj.cls):
        found = registries.attribute(state, obj, name)
        if found is not None:
            return found
    return _of_container(obj, name)


def _of_container(obj: Instance, name: str) -> Value | None:
    """A method of the list or dict that an object is or holds its children in."""
    kind = {ListValue: "list", DictValue: "dict", TupleValue: "tuple"}.get(type(obj.native))
    if kind is None or f"{kind}.{name}" not in MODELS:
        return None
    return Bound(External(f"{kind}.{name}"), cast("Value", obj.native))


CONTAINERS = frozenset(
    "builtins.list builtins.dict collections.OrderedDict collections.UserDict "
    "collections.UserList collections.deque".split()
)
"""Library classes whose methods are those of the container that an instance holds."""


def _set_attribute(state: State, obj: Instance, call: Call) -> Value:
    """`super().__setattr__(name, value)`"""
    name = literal(call.args[1]) if len(call.args) > 2 else None
    if isinstance(name, str):
        attributes.store(state, obj, name, call.args[2])
    return NONE


@acts.call_library_method.bind
def call_method(state: State, path: str, call: Call) -> Value:
    """A library class's method on an instance or class of ours: `super().x(...)` too."""
    receiver = settle(call.args[0]) if call.args else NONE
    name = path.rpartition(".")[2]
    owner = path.rpartition(".")[0]
    if isinstance(receiver, ClassValue):
        return _class_method(state, receiver, name, call)
    if name == "__init__":
        if isinstance(receiver, Instance):
            initialise(state, receiver, owner, Call(call.args[1:], call.keywords, call.open))
        return NONE
    if name == attributes.SETTER and isinstance(receiver, Instance):
        return _set_attribute(state, receiver, call)
    if isinstance(receiver, Instance) and owner in CONTAINERS:
        found = _of_container(receiver, name)
        if found is not None:
            return calls.call(state, found, Call(call.args[1:], call.keywords, call.open))
    for candidate in (resolve.canonical(path), f"nn.Module.{name}", f"optim.Optimizer.{name}"):
        run = MODELS.get(candidate)
        if run is not None:
            value = run_model(run, state, call)
            if value is not None:
                return value
    if name == "__call__" and isinstance(receiver, Instance) and ownership.is_module(receiver):
        return _call_module(state, receiver, Call(call.args[1:], call.keywords, call.open))
    if name in {"forward", "__call__"} and isinstance(receiver, Instance):
        return library_forward(state, receiver, Call(call.args[1:], call.keywords, call.open))
    if resolve.find(resolve.canonical(path)):
        return rows.row(state, resolve.canonical(path), name, call)
    return unknowns.result(state, name, rows.tensors(call))


def _class_method(state: State, receiver: ClassValue, name: str, call: Call) -> Value:
    """`MyFunction.apply(...)`, `MyModule.load(...)` of a library base."""
    if name == "apply" and lookup.is_function_class(receiver):
        return autograd_function.apply(state, receiver, Call(call.args[1:], call.keywords))
    if name == "__new__":
        return Instance(receiver)
    return unknowns.result(state, name, rows.tensors(call))
