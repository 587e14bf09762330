"""Files nobody wrote for us: each costs at most itself, all others get their findings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lint.config.finder import ConfigFinder
from inplace_lint.report import registry
from inplace_lint.runner.run import Request, check
from tests.cli.command import HAZARD, environment, inplace_lint

FOUND = "5:1: IPA101 `y` is changed in place after exp() saved it for backward"
PYTHONS_OWN_WORDS = re.compile(r"^((?:nul|python2|tabs)\.py:\d+:\d+: IPA001) .*")
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
    "codec.py": (b"# coding: hex\n00\n", "1:1: IPA001 unknown encoding: hex"),
    "utf16.py": (HAZARD.encode("utf-16"), "1:1: IPA001 not valid utf-8 text"),
    "python2.py": ("import torch\nprint 'x'\n", "2:1: IPA001"),
    "tabs.py": ("import torch\nif x:\n\ta=1\n        b=2\n", "4:1: IPA001"),
    "power.py": ("import torch\nx = [0] * 10**11 + [1 << 10**11, 9**9**9**9]\n", ""),
    "digits.py": (f"import torch\nx = {'9' * 20_000}\n", ""),
    "targets.py": (f"import torch\n{'x = ' * 20_000}1\n{HAZARD}", f"7{FOUND[1:]}"),
    "strings.py": ("x = (" + "'a' " * 3_000 + f")\n{HAZARD}", f"6{FOUND[1:]}"),
    "line.py": (f"x = '{'a' * 1_000_000}'\n{HAZARD}", f"6{FOUND[1:]}"),
    "decorators.py": (HAZARD + "@a\n" * 3000 + "def f(): pass\n", FOUND),
    "itself.py": (f"import itself\nfrom itself import *\n{HAZARD}", f"7{FOUND[1:]}"),
    "reach.py": (
        f"import zero, fifo, broken, self\nfrom folder import a\n{HAZARD}",
        f"7{FOUND[1:]}",
    ),
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
    Path("broken.py").symlink_to("nowhere.py")
    Path("zero.py").symlink_to("/dev/zero")
    if hasattr(os, "mkfifo"):
        os.mkfifo("fifo.py")
    done = inplace_lint("check", "--format", "concise", "-q", jobs)
    told = (done.stdout + done.stderr).splitlines()
    expected = {
        f"{name}:{words}".replace("\x1b", "␛") for name, (_, words) in INPUTS.items() if words
    }
    told = [PYTHONS_OWN_WORDS.sub(r"\1", line) for line in told]
    assert sorted(told) == sorted(expected)
    assert done.returncode == 1


def test_a_statement_that_libcst_refuses_costs_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("\nx = (" + "'a' " * 4_000 + f")\n{HAZARD}")
    done = inplace_lint("check", "--format", "concise", "-q")
    assert done.stdout == f"a.py:{2 + 5}{FOUND[1:]}\n"
    assert done.stderr == "a.py:2:1: IPA002 not understood by libcst\n"


def test_named_paths_that_are_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("broken.py").symlink_to("nowhere.py")
    done = inplace_lint("check", "--format", "concise", "-q", os.devnull, "missing.py", "broken.py")
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        f"{os.devnull}:1:1: IPA001 not a regular file",
        "broken.py:1:1: IPA001 No such file or directory",
    ]
    assert done.stderr == "inplace-lint: no such file or folder: missing.py\n"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file nobody can read")
def test_a_file_that_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("unreadable.py").symlink_to("/proc/self/mem")
    Path("good.py").write_text(f"import unreadable\n{HAZARD}")
    done = inplace_lint("check", "--format", "concise", "-q")
    assert done.stdout.splitlines() == [
        f"good.py:6{FOUND[1:]}",
        "unreadable.py:1:1: IPA001 Input/output error",
    ]


@pytest.mark.parametrize("then", ["import torch\n", None])
@pytest.mark.parametrize("name", registry.names())
def test_a_file_that_shrinks_or_goes_while_it_is_checked(tmp_path, monkeypatch, name, then):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(HAZARD)

    def change(*_: int) -> None:
        Path("a.py").unlink()
        if then is not None:
            Path("a.py").write_text(then)

    finder = ConfigFinder({}, isolated=True)
    outcome = check(Request(("a.py",), finder.of, jobs=1, progress=change))
    report = registry.find(name)
    text = report.render(outcome.run, False) + (
        report.aside[1](outcome.run) if report.aside else ""
    )
    assert "IPA101" in text


def test_nothing_of_a_checked_file_is_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trace = "open('executed', 'w').write('yes')\n"
    for name in ("sitecustomize", "torch", "libcst", "json", "usercustomize"):
        Path(f"{name}.py").write_text(f"{trace}import torch\n")
    Path("conftest.py").write_text(f"import torch, json\nfrom libcst import x\n{trace}{HAZARD}")
    done = inplace_lint("check", "--format", "concise", "-q", "--no-cache")
    assert done.stdout == f"conftest.py:{3 + 5}{FOUND[1:]}\n"
    assert not Path("executed").exists()


def test_workers_need_no_fork(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        Path(f"m{number}.py").write_text(HAZARD)
    program = (
        "import os, sys; del os.fork; from inplace_lint.cli.main import main;"
        "code = main(['check', '-q', '-j2']); assert 'multiprocessing' not in sys.modules;"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_generated_file_of_many_statements(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tables = "".join(f"TABLE_{number} = [{number}, 'x']\n" for number in range(20_000))
    Path("tables.py").write_text(f"import torch\n{tables}")
    done = inplace_lint("check", "--format", "concise", "-q", "tables.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_of_one_long_literal_is_analysed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "    (1, 2.5, 'abc', None),\n" * 20_000
    Path("literal.py").write_text(f"ROWS = [\n{rows}]\n{HAZARD}")
    done = inplace_lint("check", "--format", "concise", "-q", "literal.py")
    assert done.stdout == f"literal.py:{20_002 + 5}{FOUND[1:]}\n"
