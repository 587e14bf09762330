"""Configuration files: what holds, where it came from, what is wrong and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inplace_lint.config import decide
from inplace_lint.config.errors import ConfigError
from inplace_lint.config.finder import ConfigFinder
from inplace_lint.config.load import load
from inplace_lint.config.options import OPTIONS, Config
from inplace_lint.config.schema import config_schema, tool_schema
from inplace_lint.diagnostic import Diagnostic, Span

EVERY_OPTION = """
[tool.inplace-lint]
select = ["IPA1", "IPA201"]
ignore = ["IPA102"]
extend-select = ["ALL"]
exclude = ["gen"]
extend-exclude = ["*_pb2.py"]
force-exclude = true
confidence = "possible"
target-torch = "2.4"
src = ["lib"]
extra-rules = ["rules.jsonl"]

[tool.inplace-lint.per-file-ignores]
"tests/*" = ["IPA1"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_every_option_is_read_with_its_origin(tmp_path):
    write(
        "rules.jsonl", '{"id": "my_op", "api": ["mine.op"], "sig": ["self"], "saves": ["self"]}\n'
    )
    config = load(write("pyproject.toml", EVERY_OPTION))
    assert config.select == ("IPA1", "IPA201")
    assert config.per_file_ignores == {"tests/*": ("IPA1",)}
    assert config.force_exclude is True
    assert config.extra_rules == (str(tmp_path / "rules.jsonl"),)
    assert config.origins["select"] == "pyproject.toml:3"
    assert config.origins["per-file-ignores"] == "pyproject.toml:14"
    assert set(config.origins) == {option.name for option in OPTIONS}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("[tool.inplace-lint]\nselct = []\n", "2:1", "unknown key 'selct'; did you mean select?"),
        ('[tool.inplace-lint]\nselect = ["IPA1",\n  "IPA999"]\n', "3:3", "unknown code 'IPA999'"),
        ("[tool.inplace-lint]\nselect = 3\n", "2:1", "expected a list of strings"),
        ('[tool.inplace-lint]\n  confidence = "likly"\n', "2:16", "did you mean likely?"),
        ("[tool.inplace-lint]\nforce-exclude = 1\n", "2:1", "expected true or false"),
        ('[tool.inplace-lint]\ntarget-torch = "new"\n', "2:16", "expected a version"),
        ("[tool.inplace-lint]\nper-file-ignores = []\n", "2:1", "expected a table of globs"),
        (
            '[tool.inplace-lint.per-file-ignores]\n"a" = ["IPA777"]\n',
            "2:8",
            "unknown code 'IPA777'",
        ),
        ("[tool.inplace-lint.formats]\nx = 1\n", "1:2", "unknown key 'formats'"),
        ('[tool.inplace-lint]\nextend = "no.toml"\n', "2:1", "no such file: no.toml"),
        ('[tool.inplace-lint]\nextra-rules = ["no.jsonl"]\n', "2:16", "no.jsonl: No such file"),
        ("[tool.inplace-lint]\nextend = 1\n", "2:1", "expected the path of a file"),
        ('[tool.inplace-lint]\nextend = "pyproject.toml"\n', "2:1", "extends this file in turn"),
        ("[tool.inplace-lint]\nselect = [\n", "3:1", "no TOML"),
        ("[tool.inplace-lint]\nselect == 1\n", "2:9", "no TOML"),
    ],
)
def test_mistakes_are_told_with_their_place(text, place, words):
    with pytest.raises(ConfigError) as raised:
        load(write("pyproject.toml", text))
    assert str(raised.value).startswith(f"pyproject.toml:{place}: ")
    assert words in str(raised.value)


def test_the_nearest_file_holds_alone():
    write("inplace-lint.toml", 'select = ["IPA1"]\nignore = ["IPA103"]\n')
    write("sub/pyproject.toml", '[tool.inplace-lint]\nselect = ["IPA2"]\n')
    write("sub/deep/pyproject.toml", "[tool.other]\n")
    finder = ConfigFinder({})
    assert finder.of("a.py").select == ("IPA1",)
    assert finder.of("sub/deep/a.py").select == ("IPA2",)
    assert finder.of("sub/deep/a.py").ignore == ()
    assert finder.of("sub").select == ("IPA2",)


def test_extend_builds_on_another_file():
    write("base/inplace-lint.toml", 'select = ["IPA1"]\nsrc = ["lib"]\n')
    write(
        "pyproject.toml",
        '[tool.inplace-lint]\nextend = "base/inplace-lint.toml"\nignore = ["IPA103"]\n',
    )
    config = ConfigFinder({}).of("a.py")
    assert config.select == ("IPA1",)
    assert config.ignore == ("IPA103",)
    assert config.origins["select"] == "base/inplace-lint.toml:1"
    assert config.src == (str(Path("base/lib").absolute()),)
    assert config.root == Path.cwd()


def test_command_line_wins_and_isolated_reads_nothing():
    write("inplace-lint.toml", 'select = ["IPA1"]\nconfidence = "certain"\n')
    config = ConfigFinder({"select": ("IPA5",)}).of("a.py")
    assert (config.select, config.confidence) == (("IPA5",), "certain")
    assert config.origins["select"] == "command line"
    assert ConfigFinder({}, isolated=True).of("a.py").select == ("IPA",)


def test_one_file_for_all():
    write("sub/inplace-lint.toml", 'select = ["IPA1"]\n')
    own = write("own.toml", 'select = ["IPA2"]\n')
    assert ConfigFinder({}, own).of("sub/a.py").select == ("IPA2",)


@pytest.mark.parametrize(
    ("values", "code", "on"),
    [
        ({}, "IPA101", True),
        ({}, "IPA003", False),
        ({"select": ("ALL",)}, "IPA003", True),
        ({"extend_select": ("IPA003",)}, "IPA003", True),
        ({"extend_select": ("IPA0",)}, "IPA003", True),
        ({"select": ("IPA1",)}, "IPA201", False),
        ({"select": ("IPA1",), "ignore": ("IPA101",)}, "IPA101", False),
        ({"select": ("IPA101",), "ignore": ("IPA1",)}, "IPA101", True),
        ({"select": ("IPA1",), "ignore": ("IPA1",)}, "IPA101", False),
        ({"select": ("ALL",), "ignore": ("IPA",)}, "IPA101", False),
        ({"select": ("IPA1",)}, "IPA001", True),
        ({"ignore": ("IPA001",)}, "IPA001", False),
    ],
)
def test_selection(values, code, on):
    assert decide.selected(Config(root=Path.cwd(), **values), code) is on


@pytest.mark.parametrize(
    ("confidence", "shown"),
    [("possible", [1, 1, 1]), ("likely", [0, 1, 1]), ("certain", [0, 0, 1])],
)
def test_confidence(confidence, shown):
    config = Config(root=Path.cwd(), confidence=confidence)
    span = Span("a.py", 1, 1, 1, 2)
    found = [
        Diagnostic(span, "IPA101", "", "", level, "", None, (), "")
        for level in ("possible", "likely", "certain")
    ]
    assert [decide.shown(config, each) for each in found] == [bool(x) for x in shown]


def test_schema_knows_every_option_and_says_what_the_loader_says():
    jsonschema = pytest.importorskip("jsonschema")
    schema = config_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert set(schema["properties"]) == {option.name for option in OPTIONS} | {"extend"}
    assert tool_schema("inplace-lint") == schema
    good = {"select": ["IPA1"], "per-file-ignores": {"a": ["IPA101"]}, "target-torch": "2.13.0"}
    jsonschema.validate(good, schema)
    for bad in ({"selct": []}, {"select": ["IPA999"]}, {"confidence": "no"}, {"src": "x"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
    json.dumps(schema)


def test_a_wrong_rule_of_ones_own_is_told_with_both_places():
    write("own.jsonl", '{"id": "x", "api": ["mine.x"], "sig": ["self"]}\n{"id": 1}\n')
    path = write("inplace-lint.toml", '# mine\nextra-rules = ["own.jsonl"]\n')
    with pytest.raises(
        ConfigError, match=r"inplace-lint\.toml:2:16: extra-rules: .*own\.jsonl:2: "
    ):
        load(path)
