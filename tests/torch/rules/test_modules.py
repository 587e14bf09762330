"""What rows say of modules: their constructor, parameters and buffers."""

from __future__ import annotations

import inspect

import pytest
import torch
from torch import nn

from inplace_lint.opdb.model import Entry, OpRule, Param
from inplace_lint.opdb.resolve import table
from tests.rulegen.bindings import public_object
from tests.rulegen.examples import cases_of
from tests.rulegen.trial import lookup_of

MODULES = [
    rule
    for rule_id in table().ids()
    for rule in [table().rule(rule_id)]
    if rule is not None and rule.kind == "module"
]
RECURRENT = {"nn.LSTM", "nn.GRU", "nn.RNN"}
"""Their constructors take *args: the row writes out what RNNBase takes."""


def ids(rules: list[OpRule]) -> list[str]:
    return [rule.id for rule in rules]


def constructor(rule: OpRule) -> list[inspect.Parameter]:
    cls = nn.modules.rnn.RNNBase if rule.id in RECURRENT else public_object(rule.api[0])
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    left_out = {"device", "dtype", "kwargs"} | ({"mode"} if rule.id in RECURRENT else set())
    return [each for each in parameters if each.name not in left_out]


@pytest.mark.parametrize("rule", MODULES, ids=ids(MODULES))
def test_constructor(rule: OpRule) -> None:
    told = [param for param in rule.init if param.name not in {"device", "dtype"}]
    assert [param.name for param in told] == [each.name for each in constructor(rule)]
    for param, true in zip(told, constructor(rule), strict=True):
        assert same_default(param, true), param.name


def same_default(param: Param, true: inspect.Parameter) -> bool:
    if true.default is true.empty:
        return param.required
    if isinstance(true.default, (bool, int, float, str, tuple, type(None))):
        return bool(param.default == true.default)
    return not param.required


WITH_EXAMPLE = [rule for rule in MODULES if rule.example]


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=ids(WITH_EXAMPLE))
def test_parameters_and_buffers(rule: OpRule) -> None:
    for case in cases_of(rule.example):
        assert case.module is not None
        module = case.module()
        assert isinstance(module, nn.Module)
        lookup = lookup_of(rule, case)

        def told(entries: tuple[Entry, ...], lookup: object = lookup) -> set[str]:
            return {
                entry.entity.name
                for entry in entries
                if entry.when is None or entry.when.holds(lookup)  # type: ignore[arg-type]
            }

        assert told(rule.params) == {name for name, _ in module.named_parameters()}
        assert told(rule.buffers) == {name for name, _ in module.named_buffers()}


def test_every_module_has_a_row_or_a_reason() -> None:
    known = {name for rule in MODULES for name in rule.api}
    classes = {
        f"nn.{name}"
        for name in dir(nn)
        if isinstance(getattr(nn, name), type) and issubclass(getattr(nn, name), nn.Module)
    }
    assert classes - known == set(OTHERS)


OTHERS = {
    "nn.NLLLoss2d": "the old name of NLLLoss",
    "nn.Module": "what all are made of",
    "nn.Container": "holds modules",
    "nn.Sequential": "holds modules",
    "nn.ModuleList": "holds modules",
    "nn.ModuleDict": "holds modules",
    "nn.ParameterList": "holds parameters",
    "nn.ParameterDict": "holds parameters",
    "nn.DataParallel": "needs CUDA; calls its module",
    "nn.SyncBatchNorm": "needs CUDA in training",
    "nn.RNNBase": "abstract",
    "nn.RNNCellBase": "abstract",
    "nn.Transformer": "made of the layers below",
    "nn.TransformerEncoder": "holds modules",
    "nn.TransformerDecoder": "holds modules",
}


def test_lazy_modules_become_the_plain_ones() -> None:
    lazy = nn.LazyLinear(4)
    lazy(torch.ones(2, 3))
    assert type(lazy) is nn.Linear
