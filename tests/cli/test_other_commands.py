"""explain, config, schema, --version, --help."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from inplace_lint import __version__
from inplace_lint.checks.registry import registry
from inplace_lint.cli.main import main
from tests.cli.command import inplace_lint
from tests.cli.hosts import program


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_version_and_help():
    assert inplace_lint("--version").stdout == f"inplace-lint {__version__}\n"
    assert "check" in inplace_lint("--help").stdout
    nothing = inplace_lint()
    assert nothing.returncode == 2 and "usage:" in nothing.stderr


@pytest.mark.parametrize("code", sorted(registry()))
def test_explain_prints_every_page(code, capsys):
    check = registry()[code]
    assert main(["explain", code]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"# {code} {check.name}\n")
    assert check.page.error in text
    assert check.page.bad in text


def test_explain_by_name_list_and_json():
    assert inplace_lint("explain", "saved-result-mutated").stdout.startswith("# IPA101")
    listed = inplace_lint("explain").stdout.splitlines()
    assert [line[:6] for line in listed] == sorted(registry())
    rows = json.loads(inplace_lint("explain", "--format", "json").stdout)["codes"]
    assert [row["code"] for row in rows] == sorted(registry())


def test_explain_suggests():
    done = inplace_lint("explain", "IPA111")
    assert done.returncode == 2 and "did you mean IPA1" in done.stderr


def test_config_shows_values_and_origins():
    Path("inplace-lint.toml").write_text('select = ["IPA1"]\n')
    text = inplace_lint("config", "--show", "a.py", "--confidence", "possible").stdout
    assert 'select = ["IPA1"]  # inplace-lint.toml:1\n' in text
    assert 'confidence = "possible"  # command line\n' in text
    assert "ignore = []  # default\n" in text
    options = json.loads(inplace_lint("config", "--format", "json").stdout)["options"]
    assert options["select"] == {"value": ["IPA1"], "origin": "inplace-lint.toml:1"}
    Path("inplace-lint.toml").write_text("select = 1\n")
    assert inplace_lint("config").returncode == 2


@pytest.mark.parametrize("of", ["config", "findings"])
def test_schemas(of):
    assert json.loads(inplace_lint("schema", of).stdout)["$schema"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["che"], "check"),
        (["check", "--force"], "--force-exclude"),
        (["check", "--format", "sar"], "sarif"),
        (["check", "--select", "IPA20"], " ".join(f"IPA20{n}" for n in range(1, 9))),
        (["explain", "IPA50"], "IPA501"),
        (["completion", "z"], "zsh"),
        (["check", "some"], "some_file.py"),
    ],
)
def test_bash_completion(line, words):
    Path("some_file.py").touch()
    script = inplace_lint("completion", "bash").stdout
    asked = " ".join(f"'{word}'" for word in ["inplace-lint", *line])
    script += f"COMP_WORDS=({asked}); COMP_CWORD={len(line)}; _inplace_lint; echo ${{COMPREPLY[*]}}"
    done = subprocess.run(
        [program("bash"), "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == words


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_the_same_words(shell):
    script = inplace_lint("completion", shell).stdout
    for word in ("force-exclude", "sarif", "IPA208", "explain"):
        assert word in script


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ("exp", ["exp"]),
        ("torch.exp", ["exp"]),
        ("mul.Tensor", ["mul.Tensor"]),
        ("x *= y", ["op:*=", "op:*=.number"]),
        ("torch.nn.functional.relu", ["py:F.relu"]),
    ],
)
def test_ops_by_any_name(wanted, ids):
    rows = json.loads(inplace_lint("ops", wanted, "--format", "json").stdout)
    assert rows["version"] == 1
    assert [row["id"] for row in rows["ops"]] == ids


@pytest.mark.parametrize(
    ("options", "inside", "outside"),
    [
        (("--saves", "result"), "exp", "sin"),
        (("--saves", "nothing"), "neg", "exp"),
        (("--mutates",), "add_.Tensor", "add.Tensor"),
        (("--views",), "chunk", "exp"),
    ],
)
def test_ops_by_what_they_do(options, inside, outside):
    rows = json.loads(inplace_lint("ops", *options, "--format", "json").stdout)["ops"]
    ids = {row["id"] for row in rows}
    assert inside in ids
    assert outside not in ids


def test_ops_by_words():
    rows = json.loads(inplace_lint("ops", "softmax dim", "--format", "json").stdout)["ops"]
    assert rows
    assert all("softmax" in json.dumps(row).lower() for row in rows)


def test_ops_in_words():
    assert "saves    its result" in inplace_lint("ops", "exp").stdout
    assert "copies   self if other requires grad" in inplace_lint("ops", "x *= y").stdout
    unknown = inplace_lint("ops", "expo")
    assert unknown.returncode == 1 and "did you mean exp?" in unknown.stderr
