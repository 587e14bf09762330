"""File names and source lines that nobody chose kindly: none breaks out of a report."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from inplace_lint.report import registry
from tests.cli.command import HAZARD, inplace_lint

posix = pytest.mark.skipif(os.name != "posix", reason="such names exist on POSIX only")
LINE = "y.add_(10)  # \x1b]0;owned\x07 \u202e\u2028 -->]]><script>::error::`|[x](y)"
CODE = HAZARD.replace("y.add_(10)", LINE)
NAMES = [
    b"escape\x1b[31m.py",
    b"line\n::error::x\n.py",
    b"return\r.py",
    b"bytes\xff\xfe.py",
    b"<b>&\"'.py",
    b"%0A::warning::.py",
    b"comma,colon:.py",
    b"`|[x](y)__init__.py",
    "\u202e\u2028\u200b.py".encode(),
    b"a]]>.py",
    b"--help.py",
]
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ud800-\udfff]")
"""What a terminal or a log must never be sent, line ends apart."""
JSON = ("json", "gitlab", "sarif", "rdjson")
XML = ("junit", "checkstyle")


@pytest.fixture
def reports(tmp_path, monkeypatch) -> dict[str, str]:
    """The report of each format on a folder of such files, of which one does not parse."""
    Path(tmp_path, "code").mkdir()
    monkeypatch.chdir(tmp_path / "code")
    for name in NAMES:
        with open(name, "wb") as file:  # noqa: PTH123  # a Path is text
            file.write(CODE.encode())
    Path("unparsable\x1b[1m\n::error::.py").write_text("import torch\nx = (\n")
    formats = [f"--format={name}:../{name}" for name in registry.names()]
    done = inplace_lint("check", *formats, GITHUB_STEP_SUMMARY="../summary")
    assert done.returncode == 1
    assert not UNSAFE.search(done.stdout + done.stderr)
    written = (*registry.names(), "summary")
    return {name: Path("..", name).read_bytes().decode() for name in written}


@posix
def test_no_report_holds_a_character_that_does_something(reports):
    for name, text in reports.items():
        assert not UNSAFE.search(text), name


@posix
def test_every_line_for_people_is_ours(reports):
    lines = reports["concise"].split("\n")
    assert len(lines) == len(NAMES) + 2
    assert sum(": IPA101 `y` is changed in place" in line for line in lines) == len(NAMES)
    commands = [line for line in reports["github"].splitlines() if line.startswith("::")]
    assert len(commands) == 10
    assert all(re.match(r"::(error|notice) (file|title)=", line) for line in commands)
    rows = reports["summary"].splitlines()[4:]
    assert len(rows) == len(NAMES) + 1
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    assert any(r"\[x\]\(y\)\_\_init\_\_.py:5" in row for row in rows)


@posix
@pytest.mark.parametrize("name", JSON)
def test_json_is_of_unicode_and_keeps_the_names(reports, name):
    json.loads(reports[name])
    assert "\\ud8" not in reports[name]
    assert "\\udc" not in reports[name]
    assert reports[name].isascii()
    assert "comma" in reports[name]


@posix
@pytest.mark.parametrize("name", XML)
def test_xml_is_well_formed(reports, name):
    whole = ET.fromstring(reports[name].encode())
    texts = [*whole.itertext(), *(value for node in whole.iter() for value in node.attrib.values())]
    assert any("<b>&\"'.py" in text for text in texts)
    assert {node.tag for node in whole.iter()} <= {
        *("testsuites", "testsuite", "testcase", "failure", "error", "checkstyle", "file"),
    }


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("no\x1b[31m\n::error::.py",),
        ("--config", "no\x1b[31m\n.toml"),
        ("--format", "\x1b[31m"),
        ("--select", "\x1b[31m"),
        ("--baseline", "no\x1b[31m\n.json"),
        ("--no\x1b[31m\n::error::",),
        ("--output-file", "no\x1b/x"),
    ],
)
def test_nor_does_an_argument_that_is_complained_of(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    done = inplace_lint("check", *arguments)
    assert done.returncode == 2
    assert not UNSAFE.search(done.stderr)
    assert not re.search("^::", done.stderr, re.MULTILINE)
