"""Objects of library classes: how they are built, called, and what their methods are.

`torch.nn` classes come from the table (kind "module"), optimizers likewise; what is not there is
generic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inplace_lint.domain.requires import Assumption
from inplace_lint.domain.tensor import Tensor
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
    attributes,
    autograd,
    calls,
    construct,
    containers,
    transfer,
    unknowns,
)
from inplace_lint.interp.dispatch import MODELS, Call, run_model
from inplace_lint.interp.exceptions import is_exception
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
)
"""Libraries whose functions give no tensors."""


def call(state: State, path: str, call: Call) -> Value:
    """A library function or class that has neither model nor row."""
    name = path.rpartition(".")[2]
    if path.startswith(NOT_TENSORS):
        return Number(f"value:{state.next()}")
    if is_exception(path):
        return Instance(External(path), attrs={"args": TupleValue(tuple(call.args))})
    if path.startswith("builtins."):
        return Unknown(f"value:{state.next()}", "result", name, operands=_operands(call))
    if name[:1].isupper():
        return _foreign_object(state, path, name, call)
    return unknowns.result(state, name, list(_operands(call)), has_tensors(call))


def has_tensors(call: Call) -> bool:
    """Whether any argument is a tensor or may be one."""
    values = [settle(value) for value in [*call.args, *call.keywords.values()]]
    return any(isinstance(v, Unknown) and v.origin != "data" for v in values) or bool(
        _operands(call)
    )


def _operands(call: Call) -> tuple[Tensor, ...]:
    values = [*call.args, *call.keywords.values()]
    return tuple(dict.fromkeys(t for v in values for t in containers.tensors_in(v)))


def _foreign_object(state: State, path: str, name: str, call: Call) -> Value:
    """An instance of a class that is not in view: perhaps a module, an optimizer, a result."""
    made = unknowns.result(state, name, list(_operands(call)), has_tensors(call))
    made.origin = "object"
    made.attrs["<class>"] = External(path)
    return made


# ---- construction --------------------------------------------------------------------------


def construct_row(state: State, path: str, call: Call) -> Value:
    """`nn.Linear(3, 4)`: an instance of a library class that the table describes."""
    obj = Instance(External(f"torch.{path}" if path.startswith("nn.") else path))
    obj.made = state.here()
    initialise(state, obj, path, call)
    return obj


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
    obj.init.update(calls.gather(rule, binding, call.args, call.keywords))
    obj.attrs.setdefault("training", TRUE)
    for param in rule.init:
        if param.name in obj.init:
            obj.attrs.setdefault(param.name, obj.init[param.name])
    operation = transfer.Operation(rule, {}, obj)
    for role, entries in (("parameter", rule.params), ("buffer", rule.buffers)):
        for entry in entries:
            holds = entry.when is None or entry.when.holds(lambda n: transfer.lookup(operation, n))
            if holds is not False:
                obj.attrs[entry.entity.name] = own_tensor(state, obj, entry.entity.name, role)
            else:
                obj.attrs[entry.entity.name] = NONE


def own_tensor(state: State, obj: Instance, name: str, role: str) -> Tensor:
    """A parameter or buffer of a library module."""
    return Tensor(
        requires=role == "parameter",
        made=state.here(),
        maker="nn.Parameter" if role == "parameter" else "buffer",
        role=role,
        dtype="int" if name == "num_batches_tracked" else "float",
        made_up=obj.made_up,
        name=f"{obj.name}.{name}" if obj.name else name,
    )


# ---- calls ---------------------------------------------------------------------------------


def call_instance(state: State, obj: Instance, call: Call) -> Value:
    """Call an object: its forward() in view, its row, or a generic module."""
    native = obj.attrs.get("__call__")
    if native is not None:
        return calls.call(state, native, call)
    if obj.attrs.get("<hooks>") is not None:
        from inplace_lint.interp.models import module_hooks

        return module_hooks.call(state, obj, call, run_forward)
    return run_forward(state, obj, call)


def run_forward(state: State, obj: Instance, call: Call) -> Value:
    """forward() itself, without hooks."""
    method = attributes.find_method(obj, "forward")
    if "forward" in obj.attrs:
        return calls.call(state, obj.attrs["forward"], call)
    if method is not None:
        return calls.call_method_with(state, obj, method, call)
    return library_forward(state, obj, call)


def library_forward(state: State, obj: Instance, call: Call) -> Value:
    """The forward() of a library class: a model, or the row of the table."""
    for cls in attributes.classes_of(obj):
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
    from inplace_lint.interp.models import generic

    return generic.call_object(state, obj, call)


def apply_row(state: State, obj: Instance, path: str, call: Call) -> Value:
    """The row of a library module, over its own parameters."""
    args = [settle(arg) for arg in call.args]
    keywords = {name: settle(value) for name, value in call.keywords.items()}
    rules = resolve.find(path)
    shapes = {name: shape_of(value) for name, value in keywords.items()}
    rule = resolve.choose(rules, [shape_of(arg) for arg in args], shapes) or rules[0]
    bound = calls.gather(rule, resolve.bind(rule, len(args), keywords), args, keywords)
    label = path
    inplace = literal(obj.init["inplace"]) if "inplace" in obj.init else None
    mutator = f"{path}(inplace=True)" if inplace is True else label
    made_in = obj.made.unit if obj.made is not None else None
    made_up_call = not state.frames
    own_class = made_in is state.here().unit and (made_in.kind == "class" or made_up_call)
    state.blame = obj.made if state.contained and inplace is True and own_class else None
    try:
        return transfer.apply(state, transfer.Operation(rule, bound, obj, label, mutator=mutator))
    finally:
        state.blame = None


# ---- methods -------------------------------------------------------------------------------


def attribute(state: State, obj: Instance, cls: External, name: str) -> Value | None:
    """What a library class gives its instances under this name; None if nothing we know."""
    path = resolve.canonical(cls.path)
    if f"{path}.{name}" in MODELS:
        return Bound(External(f"{cls.path}.{name}"), obj)
    if construct.is_module_class(obj.cls) and f"nn.Module.{name}" in MODELS:
        return Bound(External(f"torch.nn.Module.{name}"), obj)
    if path.startswith("optim.") and f"optim.Optimizer.{name}" in MODELS:
        return Bound(External(f"torch.optim.Optimizer.{name}"), obj)
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
    if name in {"forward", "__call__"} and isinstance(receiver, Instance):
        return library_forward(state, receiver, Call(call.args[1:], call.keywords, call.open))
    if resolve.find(resolve.canonical(path)):
        return calls.row(state, resolve.canonical(path), name, call)
    return unknowns.result(state, name, list(_operands(call)))


def _class_method(state: State, receiver: ClassValue, name: str, call: Call) -> Value:
    """`MyFunction.apply(...)`, `MyModule.load(...)` of a library base."""
    if name == "apply" and construct.is_function_class(receiver):
        from inplace_lint.interp.models import autograd_function

        return autograd_function.apply(state, receiver, Call(call.args[1:], call.keywords))
    if name == "__new__":
        return Instance(receiver)
    return unknowns.result(state, name, list(_operands(call)))


# ---- what a module owns --------------------------------------------------------------------


def children(obj: Value) -> list[tuple[str, Value]]:
    """The submodules of a module, by attribute name."""
    obj = settle(obj)
    if not isinstance(obj, Instance):
        return []
    found = list(_native_children(obj))
    for name, value in obj.attrs.items():
        value = settle(value)
        if is_module(value):
            found.append((name, value))
    return found


def _native_children(obj: Instance) -> list[tuple[str, Value]]:
    native = obj.native
    if isinstance(native, ListValue):
        return [(str(n), settle(v)) for n, v in enumerate(native.items)]
    entries = getattr(native, "entries", None)
    if isinstance(entries, dict):
        return [(str(k), settle(v)) for k, v in entries.items()]
    return []


def is_module(value: Value) -> bool:
    """Whether a value is a module object."""
    if isinstance(value, Instance):
        return construct.is_module_class(value.cls)
    return isinstance(value, Unknown) and value.origin == "module"


def modules(obj: Value, seen: set[int] | None = None) -> list[Value]:
    """A module and all its descendants, each once."""
    seen = set() if seen is None else seen
    obj = settle(obj)
    if id(obj) in seen:
        return []
    seen.add(id(obj))
    return [obj, *(m for _, child in children(obj) for m in modules(child, seen))]


def named_modules(obj: Value) -> dict[str, Value]:
    """A module and all its descendants by dotted path, each once."""
    found: dict[str, Value] = {}
    seen: set[int] = set()
    pending = [("", settle(obj))]
    while pending:
        path, module = pending.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        found[path] = module
        inner = [(f"{path}.{name}" if path else name, child) for name, child in children(module)]
        pending += reversed(inner)
    return found


def named(obj: Value, role: str = "parameter") -> dict[str, Tensor]:
    """The parameters (or buffers) of a module by dotted name, each once."""
    found: dict[str, Tensor] = {}
    seen: set[int] = set()
    for path, module in named_modules(obj).items():
        for name, value in _tensors_of(module):
            if value.role == role and id(value) not in seen:
                seen.add(id(value))
                found[f"{path}.{name}" if path else name] = value
    return found


def owned(obj: Value, role: str = "parameter") -> list[Tensor]:
    """The parameters (or buffers) of a module, its descendants included."""
    return list(named(obj, role).values())


def _tensors_of(module: Value) -> list[tuple[str, Tensor]]:
    """A module's own tensors; also the items of ParameterList and ParameterDict."""
    attrs = getattr(module, "attrs", {})
    pairs = (
        [*attrs.items(), *_native_children(module)]
        if isinstance(module, Instance)
        else attrs.items()
    )
    settled = ((name.strip("<>"), settle(value)) for name, value in pairs)
    return [(name, value) for name, value in settled if isinstance(value, Tensor)]


def trained_weight(state: State, name: str, requires: bool = True) -> Tensor:
    """The weight of a module that is not in view: trained, by assumption."""
    assume = frozenset({Assumption("weights", name)}) if requires else False
    return Tensor(
        requires=assume,
        made=state.here(),
        maker="nn.Parameter",
        role="parameter",
        dtype="float",
        made_up=True,
        name=f"{name}.weight",
    )


def leaf_alias(state: State, tensor: Tensor, role: str, requires: bool = True) -> Tensor:
    """nn.Parameter(t), nn.Buffer(t): another object on the same storage and counter."""
    made = autograd.alias(state, tensor, shares_counter=True)
    made.requires, made.role, made.name = requires, role, None
    made.maker = "nn.Parameter" if role == "parameter" else "buffer"
    made.made_up, made.doubt = tensor.made_up, None
    return made
