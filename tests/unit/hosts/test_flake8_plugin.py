"""The plugin without flake8's run: when it works at all, and that it never raises."""

from __future__ import annotations

import argparse
import ast
import logging

import pytest

pytest.importorskip("flake8")

from inplace_lint.hosts import flake8_plugin

TEXT = "import torch\n"


@pytest.fixture(autouse=True)
def calls(monkeypatch):
    """The texts that were analysed."""
    seen: list[str] = []

    def check(text, *_):
        seen.append(text)
        if "RAISE" in text:
            raise KeyError("x" * 10)
        return ()

    monkeypatch.setattr(flake8_plugin, "_check", check)
    monkeypatch.setattr(flake8_plugin.Plugin, "options", None)
    monkeypatch.setattr(flake8_plugin.Plugin, "wanted", None)
    return seen


def options(**given) -> argparse.Namespace:
    plain = dict.fromkeys(
        ("select", "ignore", "extend_select", "extend_ignore", "per_file_ignores")
    )
    return argparse.Namespace(
        **{
            **plain,
            "extended_default_select": ["E", "IPA"],
            "extended_default_ignore": [],
            "enable_extensions": None,
            "disable_noqa": False,
            **given,
        }
    )


def run(text: str) -> list[object]:
    return list(flake8_plugin.Plugin(ast.parse(""), text.splitlines(True), "a.py").run())


def test_texts_without_torch_are_left_alone(calls):
    run("x = 1\n")
    run(TEXT)
    assert calls == [TEXT]


@pytest.mark.parametrize(
    ("given", "works"),
    [
        ({}, True),
        ({"select": ["E"]}, False),
        ({"select": ["IPA1"]}, True),
        ({"ignore": ["IPA"]}, False),
        ({"ignore": ["I"]}, False),
        ({"ignore": ["IPA1"]}, True),
    ],
)
def test_nothing_is_done_when_no_code_is_selected(calls, given, works):
    flake8_plugin.Plugin.parse_options(options(**given))
    run(TEXT)
    assert bool(calls) is works


def test_errors_are_logged_by_type_and_never_raised(caplog):
    with caplog.at_level(logging.WARNING):
        assert run(TEXT + "# RAISE\n") == []
    assert "inplace-lint failed: KeyError" in caplog.text
    assert "xxx" not in caplog.text


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ({"ignore": ["I"]}, "I"),
        ({"extend_ignore": ["E501", "IP"]}, "IP"),
        ({"ignore": ["I"], "extend_select": ["IPA"]}, ""),
        ({"ignore": ["IPA"]}, ""),
        ({"ignore": ["ISC"]}, ""),
        ({}, ""),
    ],
)
def test_a_shorter_prefix_is_told(capsys, given, prefix):
    flake8_plugin.Plugin.parse_options(options(**given))
    warned = capsys.readouterr().err
    assert (f"`ignore = {prefix}`" in warned) is bool(prefix)
    assert bool(warned) is bool(prefix)
