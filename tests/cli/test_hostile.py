"""Files nobody wrote for us: each costs at most itself, all others get their findings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import HAZARD, inplace_lint

FOUND = "5:1: IPA101 `y` is changed in place after exp() saved it for backward"
DEEP = "2:1: IPA002 nested or chained too deeply to be analysed"
ELIFS = "".join(f"elif x == {number}:\n    pass\n" for number in range(3000))

INPUTS: dict[str, tuple[bytes | str, str]] = {
    "good.py": (HAZARD, FOUND),
    "elif.py": (f"import torch\nif x == 0:\n    pass\n{ELIFS}", DEEP),
    "sum.py": ("import torch\nx = " + "+".join(["1"] * 20_000) + "\n", DEEP),
    "brackets.py": ("import torch\nx = " + "[" * 3000 + "]" * 3000 + "\n", DEEP),
    "minus.py": ("import torch\nx = " + "-" * 10_000 + "1\n", DEEP),
    "chain.py": ("import torch\nx = a" + ".b()" * 1500 + "\n", DEEP),
    "latin.py": (
        "# coding: latin-1\n# \xe9\n".encode("latin-1") + HAZARD.encode(),
        f"7{FOUND[1:]}",
    ),
    "badutf.py": (b"import torch\n# \xe9\xff\n", "2:3: IPA001 not valid utf-8 text"),
    "cookie.py": (b"# coding: no-such\n", "1:1: IPA001 unknown encoding: no-such"),
    "nul.py": (b"import torch\0\n", "1:1: IPA001"),
    "bom.py": (b"\xef\xbb\xbf" + HAZARD.encode(), FOUND),
    "crlf.py": (HAZARD.replace("\n", "\r\n"), FOUND),
    "cr.py": (HAZARD.replace("\n", "\r"), FOUND),
    "formfeed.py": ("\x0c" + HAZARD, FOUND),
    "newer.py": (HAZARD + "type X = int\ndef g[T](a: T) -> T: return a\n", FOUND),
    "escape\x1b[31m.py": (HAZARD, FOUND),
    "notebook.ipynb": ("[]", "1:1: IPA001 not a notebook of format 4: it has no cells"),
    "empty.py": ("", ""),
}


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_a_folder_of_hostile_files(tmp_path, monkeypatch, jobs):
    monkeypatch.chdir(tmp_path)
    for name, (content, _) in INPUTS.items():
        data = content.encode() if isinstance(content, str) else content
        Path(name).write_bytes(data)
    Path("folder.py").mkdir()
    Path("loop").symlink_to(".")
    Path("self.py").symlink_to("self.py")
    if hasattr(os, "mkfifo"):
        os.mkfifo("fifo.py")
    done = inplace_lint("check", "--format", "concise", "-q", jobs)
    told = (done.stdout + done.stderr).splitlines()
    expected = {
        f"{name}:{words}".replace("\x1b", "␛") for name, (_, words) in INPUTS.items() if words
    }
    told = [line[: len("nul.py:1:1: IPA001")] if line.startswith("nul") else line for line in told]
    assert sorted(told) == sorted(expected)
    assert done.returncode == 1


def test_named_paths_that_are_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = inplace_lint("check", "--format", "concise", "-q", os.devnull, "missing.py")
    assert done.returncode == 2
    assert done.stdout == f"{os.devnull}:1:1: IPA001 not a regular file\n"
    assert "no such file or folder: missing.py" in done.stderr


def test_a_generated_file_of_many_statements(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tables = "".join(f"TABLE_{number} = [{number}, 'x']\n" for number in range(20_000))
    Path("tables.py").write_text(f"import torch\n{tables}")
    done = inplace_lint("check", "--format", "concise", "-q", "tables.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_of_one_long_literal_is_analysed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "    (1, 2.5, 'abc', None),\n" * 4_000
    Path("literal.py").write_text(f"ROWS = [\n{rows}]\n{HAZARD}")
    done = inplace_lint("check", "--format", "concise", "-q", "literal.py")
    assert done.stdout == f"literal.py:{4_002 + 5}{FOUND[1:]}\n"
