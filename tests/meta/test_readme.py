"""README.md is fresh: what it shows is what the tool says today. `pytest --update` rewrites it.

A `console` block holds a command and its output; a `text` block after a `python` block is what the
linter says of that program; the table of codes stands between two comments.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inplace_lint.checks.registry import registry
from tests.cli.command import environment
from tests.harness import markdown

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
CODES = re.compile(r"(?<=<!-- codes -->\n).*?(?=<!-- end of codes -->)", re.DOTALL)


def say(arguments: list[str], program: str | None = None) -> str:
    """What the command prints, in the repository's folder and without colour."""
    done = subprocess.run(
        [sys.executable, "-m", "inplace_lint", *arguments],
        input=program,
        cwd=ROOT,
        env=environment(NO_COLOR="1", COLUMNS="100"),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def outputs(text: str) -> Iterator[tuple[int, str]]:
    """The generated blocks: the line each starts on and what it should hold."""
    for section in markdown.parse(text):
        program = ""
        for block in section.blocks:
            if block.language == "console":
                command, _, _ = block.text.partition("\n")
                arguments = shlex.split(command.removeprefix("$ inplace-lint "))
                yield block.line, f"{command}\n{say(arguments)}"
            elif block.language == "python":
                program = block.text
            elif block.language == "text":
                options = ["--no-cache", "--stdin-filename", "seed.py"]
                yield block.line, say(["check", *options, "-"], program)


def codes() -> str:
    rows = [
        f"| {check.code} | `{check.name}` | {check.summary} |\n" for check in registry().values()
    ]
    return "\n| code | name | what |\n|---|---|---|\n" + "".join(rows) + "\n"


def fresh(text: str) -> str:
    """The document as it should be."""
    table = codes()
    return CODES.sub(lambda _: table, markdown.replace(text, dict(outputs(text))))


def test_readme_is_fresh(update: bool) -> None:
    text = README.read_text(encoding="utf-8")
    if update:
        README.write_text(fresh(text), encoding="utf-8")
    else:
        assert text == fresh(text), "run pytest --update tests/meta/test_readme.py"


def test_readme_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("command", ["pip install . &&", "pip install '.[test]' && pytest"])
def test_readme_names_its_commands(command: str) -> None:
    assert command in README.read_text(encoding="utf-8")
