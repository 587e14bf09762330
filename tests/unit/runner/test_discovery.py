"""Which files a run takes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from inplace_lint.config import decide
from inplace_lint.config.options import Config
from inplace_lint.runner.discovery import discover
from inplace_lint.source import SourceError
from inplace_lint.source.decode import read_bytes


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def touch(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("")


def shown(*paths: str, **config) -> list[str]:
    values = Config(root=Path.cwd(), **config)
    targets, _ = discover(
        paths or (".",),
        lambda p, d: decide.excluded(values, p, d),
        lambda p: values.force_exclude and decide.excluded_anywhere(values, p),
    )
    return [target.shown for target in targets]


def test_suffixes_count_in_a_walk_but_not_for_named_files():
    touch("a.py", "b.pyi", "n.ipynb", "c.txt", "script")
    assert shown() == ["a.py", "b.pyi", "n.ipynb"]
    assert shown("script", "c.txt") == ["c.txt", "script"]


def test_default_excludes_hold_below_what_is_named():
    touch(".venv/x.py", "build/x.py", "node_modules/p/x.py", "src/build/x.py", "a.py")
    assert shown() == ["a.py"]
    assert shown("build") == ["build/x.py"]
    assert shown("build/x.py") == ["build/x.py"]
    assert shown("build/x.py", "a.py", force_exclude=True) == ["a.py"]


def test_exclude_globs_are_relative_to_the_configuration():
    touch("gen/a.py", "src/gen/b.py", "src/c_pb2.py", "src/d.py")
    assert shown(extend_exclude=("*_pb2.py", "/gen/")) == ["src/d.py", "src/gen/b.py"]
    assert shown("src/c_pb2.py", extend_exclude=("*_pb2.py",)) == ["src/c_pb2.py"]
    assert shown("src/c_pb2.py", extend_exclude=("*_pb2.py",), force_exclude=True) == []


def test_gitignore_of_every_level_counts():
    touch("a.py", "out/b.py", "pkg/c.py", "pkg/keep.py", "pkg/gen/d.py", "pkg/gen/keep.py")
    Path(".git").mkdir()
    Path(".gitignore").write_text("/out\nkeep.py\n# comment\n")
    Path("pkg/.gitignore").write_text("gen/*\n!gen/keep.py\n")
    assert shown() == ["a.py", "pkg/c.py", "pkg/gen/keep.py"]
    assert shown("pkg") == ["pkg/c.py", "pkg/gen/keep.py"]
    assert shown("out") == ["out/b.py"]
    assert shown("out/b.py") == ["out/b.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no path is so long")
def test_folders_may_lie_as_deep_as_the_system_allows():
    here = Path.cwd()
    for _ in range(1200):
        Path("d").mkdir()
        os.chdir("d")
    touch("a.py")
    os.chdir(here)
    found = shown()
    os.chdir("d/" * 1200)
    Path("a.py").unlink()
    for _ in range(1200):  # what pytest itself can't remove
        os.chdir("..")
        Path("d").rmdir()
    assert found == ["d/" * 1200 + "a.py"]


def test_a_folder_that_cannot_be_entered_is_told_and_one_that_is_gone_is_not(monkeypatch):
    touch("a.py", "locked/x.py", "gone/x.py")
    wrong = {"locked": PermissionError(13, "Permission denied"), "gone": FileNotFoundError()}
    whole = os.scandir

    def scandir(path):
        if (error := wrong.get(Path(path).name)) is not None:
            raise error
        return whole(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert shown() == ["a.py", "locked"]
    with pytest.raises(SourceError, match="Permission denied"):
        read_bytes(Path("locked"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_ignore_file_that_is_no_file_is_passed_over():
    touch("a.py")
    os.mkfifo(".gitignore")
    assert shown() == ["a.py"]


def test_a_name_that_no_system_allows_is_missing():
    assert discover(["x" * 5000, "a\0b"], lambda *_: False, lambda _: False)[1] == [
        "x" * 5000,
        "a\0b",
    ]


def test_a_file_reached_twice_is_taken_once():
    touch("pkg/a.py")
    assert shown("pkg", "./pkg/a.py", "pkg/a.py", ".") == ["pkg/a.py"]


def test_paths_are_shown_as_given(tmp_path):
    touch("pkg/a.py")
    assert shown("./pkg") == ["pkg/a.py"]
    assert shown(str(tmp_path)) == [f"{tmp_path.as_posix()}/pkg/a.py"]
