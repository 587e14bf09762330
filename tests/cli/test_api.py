"""The functions of the package, and that they are typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import inplace_lint
from tests.cli.command import CLEAN, HAZARD, environment


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(HAZARD)


def test_check_paths():
    checked = inplace_lint.check_paths([Path("model.py")])
    (found,) = checked.findings
    assert (found.span.path, found.span.line, found.code) == ("model.py", 5, "IPA101")
    assert checked.errors == ()
    assert inplace_lint.check_paths([]).findings == ()


def test_check_paths_reads_configuration_unless_told_not_to():
    Path("inplace-lint.toml").write_text('ignore = ["IPA101"]\n')
    assert inplace_lint.check_paths(["."]).findings == ()
    assert len(inplace_lint.check_paths(["."], isolated=True).findings) == 1
    Path("own.toml").write_text('select = ["IPA2"]\n')
    assert inplace_lint.check_paths(["."], config="own.toml").findings == ()
    Path("own.toml").write_text("select = 2\n")
    with pytest.raises(ValueError, match=r"own\.toml:1:1"):
        inplace_lint.check_paths(["."], config="own.toml")


def test_missing_paths():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.py"):
        inplace_lint.check_paths(["nowhere.py"])


def test_check_source():
    (found,) = inplace_lint.check_source(HAZARD).findings
    assert (found.span.path, found.span.line) == ("<text>", 5)
    assert inplace_lint.check_source(CLEAN).findings == ()
    (wrong,) = inplace_lint.check_source("def f(:\n", "a.py").errors
    assert (wrong.path, wrong.code) == ("a.py", "IPA001")


def test_a_text_beside_a_file_may_import_it():
    Path("helper.py").write_text("def change(t):\n    t.add_(1)\n")
    text = HAZARD.replace("y.add_(10)", "from helper import change; change(y)")
    (found,) = inplace_lint.check_source(text, "user.py").findings
    assert found.span.path == "helper.py"


def test_the_package_is_typed():
    Path("user.py").write_text(
        "import inplace_lint\nreveal_type(inplace_lint.check_paths(['a']).findings[0].span.line)\n"
    )
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "user.py"],
        capture_output=True,
        text=True,
        env=environment(MYPYPATH=environment()["PYTHONPATH"]),
        check=False,
    )
    assert 'Revealed type is "int"' in done.stdout or '"builtins.int"' in done.stdout


def test_importing_the_package_is_cheap():
    program = "import sys, inplace_lint; print('argparse' in sys.modules, 'libcst' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment(), check=True
    )
    assert done.stdout.split() == [b"False", b"False"]
