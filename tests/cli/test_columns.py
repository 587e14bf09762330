"""Columns in each format's own unit, on a line that has everything: tab, emoji, CRLF, form feed."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import inplace_lint

LINE = "\tz = '😀é文'; y.add_(10)"
TEXT = (
    "import torch\r\n\x0c\r\nx = torch.randn(3, requires_grad=True)\r\ny = x.exp()\r\nif True:\r\n"
    f"{LINE}\r\ny.sum().backward()\r\n"
)
CODE_POINTS = LINE.index("y.add_") + 1
BYTES = len(LINE[: CODE_POINTS - 1].encode()) + 1


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, str]:
    """Every format's text, of one run."""
    folder = tmp_path_factory.mktemp("columns")
    (folder / "m.py").write_bytes(TEXT.encode())
    names = ("full", "json", "sarif", "rdjson", "checkstyle", "github", "gitlab", "concise")
    formats = [f"--format={name}:{folder / name}" for name in names]
    assert inplace_lint("check", *formats, str(folder / "m.py")).returncode == 1
    return {name: (folder / name).read_text("utf-8") for name in names}


def test_code_points(reports):
    found = json.loads(reports["json"])["findings"][0]
    assert (found["line"], found["column"], found["end_column"]) == (
        6,
        CODE_POINTS,
        CODE_POINTS + 10,
    )
    run = json.loads(reports["sarif"])["runs"][0]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert (region["startLine"], region["startColumn"]) == (6, CODE_POINTS)
    assert f":6:{CODE_POINTS}: IPA101" in reports["concise"]
    assert f"line=6,endLine=6,col={CODE_POINTS}," in reports["github"]
    (error,) = ElementTree.fromstring(reports["checkstyle"]).iter("error")
    assert (error.get("line"), error.get("column")) == ("6", str(CODE_POINTS))


def test_bytes(reports):
    place = json.loads(reports["rdjson"])["diagnostics"][0]["location"]["range"]
    assert place["start"] == {"line": 6, "column": BYTES}
    assert place["end"] == {"line": 6, "column": BYTES + 10}
    text = TEXT.encode().split(b"\r\n")[5]
    assert text[BYTES - 1 : BYTES + 9] == b"y.add_(10)"


def test_cells(reports):
    lines = reports["full"].splitlines()
    carets = next(line for line in lines if "^" in line)
    shown = "    z = '😀é文'; "
    wide = sum(2 if sign in "😀文" else 1 for sign in shown)
    assert carets.index("^") == len("6 | ") + wide
    assert carets.count("^") == len("y.add_(10)")


def test_gitlab_lines(reports):
    assert json.loads(reports["gitlab"])[0]["location"]["lines"] == {"begin": 6, "end": 6}


def test_paths_given_absolute_are_relative_below_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.py").write_bytes(TEXT.encode())
    done = inplace_lint("check", "--format", "gitlab", str(tmp_path / "m.py"))
    assert json.loads(done.stdout)[0]["location"]["path"] == "m.py"
