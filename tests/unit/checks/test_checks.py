"""Every story of the contract is worded by exactly one check, in words that name its parts."""

from __future__ import annotations

import itertools
import re

import pytest

from inplace_lint.checks.phrases import op_name, out_of_place, subject
from inplace_lint.checks.registry import registry
from inplace_lint.checks.wording import collect, diagnose
from inplace_lint.diagnostic import Span
from inplace_lint.domain.story import Step, Story
from inplace_lint.ir.function import Site

ROLES = ("", "result", "operand", "parameter", "buffer", "function")
KINDS = [
    "leaf-inplace",
    "leaf-view-inplace",
    "multi-view-inplace",
    "nograd-view-inplace",
    "custom-view-inplace",
    "overlap",
    "out-requires-grad",
    "inference-tensor",
    "freed-graph",
]
EVERY_SHAPE = [
    *(("saved-modified", role, "") for role in ROLES),
    *(("silent", role, how) for role in ROLES for how in ("data", "memory", "kernel")),
    *(("silent", role, "") for role in ("mark-dirty", "grad-output", "ctx")),
    *(
        (kind, role, how)
        for kind, role, how in itertools.product(KINDS, ("", "operand"), ("", "chunk"))
    ),
]
EXPECTED = {
    ("saved-modified", "result", ""): "IPA101",
    ("saved-modified", "operand", ""): "IPA102",
    ("saved-modified", "parameter", ""): "IPA103",
    ("saved-modified", "buffer", ""): "IPA103",
    ("saved-modified", "function", ""): "IPA401",
    ("silent", "result", "data"): "IPA301",
    ("silent", "operand", "memory"): "IPA302",
    ("silent", "buffer", "kernel"): "IPA303",
    ("silent", "mark-dirty", ""): "IPA402",
    ("silent", "grad-output", ""): "IPA403",
    ("silent", "ctx", ""): "IPA404",
    ("freed-graph", "", ""): "IPA501",
}


def site(line: int) -> Site:
    return Site(None, line)  # type: ignore[arg-type]


def span_of(where: Site) -> Span:
    return Span("m.py", where.at, 1, where.at, 9)


def story(kind: str, role: str = "", how: str = "", **more: object) -> Story:
    legs = {role: Step(site(n)) for n, role in enumerate(("saved", "used", "view", "freed"), 1)}
    given = {"name": "y", "saver": "exp", "mutator": "add_", **legs, **more}
    return Story(kind, Step(site(7)), role=role, how=how, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", EVERY_SHAPE, ids="/".join)
def test_exactly_one_check_takes_each_shape(shape: tuple[str, str, str]) -> None:
    takers = [check.code for check in registry().values() if check.matches(story(*shape))]
    assert len(takers) == 1
    assert takers[0] == EXPECTED.get(shape, takers[0])


@pytest.mark.parametrize("shape", EVERY_SHAPE, ids="/".join)
@pytest.mark.parametrize("name", ["y", None])
def test_words_leave_no_template_open(shape: tuple[str, str, str], name: str | None) -> None:
    found = diagnose(story(*shape, name=name), span_of, lambda _: "y.add_(10)")
    words = " ".join([found.message, found.help, *(leg.message for leg in found.legs)])
    assert not re.search(r"[{}]|``|None", words)
    assert name is None or found.code in {"IPA207", "IPA501"} or "`y`" in found.message


def test_the_contracts_example() -> None:
    found = diagnose(
        story("saved-modified", "result", view=None, freed=None), span_of, lambda _: "y.add_(10)"
    )
    assert found.message == "`y` is changed in place after exp() saved it for backward"
    assert [leg.role for leg in found.legs] == ["saved", "mutated", "used"]
    assert found.legs[0].message == "exp() saves its result"
    assert "write `y = y.add(10)`" in found.help


def test_second_backward_is_the_used_leg() -> None:
    found = diagnose(story("freed-graph"), span_of, lambda _: "loss.backward()")
    assert found.span.line == 7
    assert [(leg.role, leg.span.line) for leg in found.legs][-1] == ("used", 7)


def test_one_finding_a_site_and_code() -> None:
    stories = [
        story("saved-modified", "result", saved=Step(site(3)), confidence="likely", assumes="x"),
        story("saved-modified", "result", saved=Step(site(2))),
        story("saved-modified", "operand", saved=Step(site(2)), confidence="possible"),
    ]
    for order in itertools.permutations(stories):
        found = collect(order, span_of, lambda _: "")
        assert [(d.code, d.confidence) for d in found] == [
            ("IPA101", "certain"),
            ("IPA102", "possible"),
        ]
        saved = [leg.span.line for leg in found[0].legs if leg.role == "saved"]
        assert saved == [2, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exp", "exp()"),
        ("step()", "step()"),
        ("nn.Conv2d", "nn.Conv2d"),
        ("nn.ReLU(inplace=True)", "nn.ReLU(inplace=True)"),
        ("*", "`*`"),
        ("+=", "`+=`"),
        ("[...] =", "an index assignment"),
        ("", "an op"),
    ],
)
def test_ops_are_called_as_a_reader_calls_them(text: str, words: str) -> None:
    assert op_name(text) == words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("y.add_(10)", "y"),
        ("self.state.mul_(2)", "self.state"),
        ("y += 1", "y"),
        ("self.h **= 2", "self.h"),
        ("y[0] = 1", "y"),
        ("y[i, 1:] += f(x)", "y"),
        ("x.weight.data.clamp_(0, 1)", "x.weight.data"),
        ("y.data = v", None),
        ("opt.step()", None),
        ("torch.relu_(y)", None),
        ("F.relu(y, inplace=True)", None),
        ("self.act(y)", None),
        ("y.view(3).add_(1)", None),
        ("a == b", None),
    ],
)
def test_subject(text: str, name: str | None) -> None:
    assert subject(text) == name


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("y.add_(10)", "y = y.add(10)"),
        ("self.state.mul_(self.decay())", "self.state = self.state.mul(self.decay())"),
        ("y += 1", "y = y + 1"),
        ("y *= a + b", "y = y * (a + b)"),
        ("y **= f(x)", "y = y ** f(x)"),
        ("y //= 2", "y = y // 2"),
        ("y.zero_()", None),
        ("y.add_(1).mul_(2)", None),
        ("y[0] += 1", None),
        ("y.add_(\n1)", None),
        ("opt.step()", None),
    ],
)
def test_out_of_place_twin(text: str, twin: str | None) -> None:
    assert out_of_place(text) == twin


def test_pages_are_complete_and_examples_parse() -> None:
    for check in registry().values():
        page = check.page
        assert check.summary.endswith(".")
        assert page.what and page.why and page.instead, check.code
        compile(page.good, check.code, "exec")
        if check.kind:
            compile(page.bad, check.code, "exec")
            assert page.error or check.kind == "silent", check.code
