"""Which file an import means."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lint.runner.project import DiskProject
from inplace_lint.source import from_text, read_source

FILES = (
    "pyproject.toml app/__init__.py app/train.py app/model.py app/nn/__init__.py app/nn/block.py "
    "src/lib/__init__.py src/lib/core.py scripts/run.py scripts/helper.py ns/part/mod.py "
    "torch/__init__.py random.py"
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in FILES.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("importer", "module", "level", "expected"),
    [
        ("app/train.py", "model", 1, "app/model.py"),
        ("app/train.py", "", 1, "app/__init__.py"),
        ("app/nn/__init__.py", "block", 1, "app/nn/block.py"),
        ("app/nn/block.py", "model", 2, "app/model.py"),
        ("app/nn/block.py", "nn.block", 2, "app/nn/block.py"),
        ("app/nn/block.py", "app.model", 0, "app/model.py"),
        ("app/nn/block.py", "app", 0, "app/__init__.py"),
        ("app/nn/block.py", "model", 0, None),
        ("scripts/run.py", "helper", 0, "scripts/helper.py"),
        ("scripts/run.py", "app.nn", 0, "app/nn/__init__.py"),
        ("scripts/run.py", "lib.core", 0, "src/lib/core.py"),
        ("src/lib/core.py", "lib", 0, "src/lib/__init__.py"),
        ("ns/part/mod.py", "ns.part.mod", 0, "ns/part/mod.py"),
        ("ns/part/mod.py", "ns.part", 0, None),
        ("app/train.py", "torch", 0, None),
        ("app/train.py", "random", 0, None),
        ("app/train.py", "elsewhere", 0, None),
        ("app/train.py", "model", 9, None),
    ],
)
def test_import(importer, module, level, expected):
    project = DiskProject((), {})
    found = project.find(read_source(Path(importer)), module, level)
    assert (found.path if found else None) == expected


def test_a_file_is_read_once_and_shown_as_it_was_given(tmp_path):
    given = {str(tmp_path / "app/model.py"): "./odd/../app/model.py"}
    project = DiskProject((), given)
    first = project.find(read_source(Path("app/train.py")), "model", 1)
    again = project.find(read_source(Path("app/nn/block.py")), "app.model", 0)
    assert first is again
    assert first.path == "./odd/../app/model.py"


def test_configured_roots(tmp_path):
    (tmp_path / "lib2").mkdir()
    (tmp_path / "lib2/far.py").write_text("")
    project = DiskProject((str(tmp_path / "lib2"),), {})
    assert project.find(read_source(Path("app/train.py")), "far", 0).path == "lib2/far.py"


def test_files_not_used_lately_are_forgotten_and_read_again(tmp_path):
    texts = {name: f"# {name}\n" * 100 for name in ("a", "b", "c")}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    project = DiskProject([], {})
    importer = from_text("", "m.py", tmp_path / "m.py")
    first = {name: project.find(importer, name, 1) for name in "abc"}
    project.depends()
    project.find(importer, "a", 1)
    assert project.depends().files == (str(tmp_path / "a.py"),)
    assert not project.trim(10_000)
    assert project.trim(1_000)
    again = {name: project.find(importer, name, 1) for name in "abc"}
    assert again["a"] is first["a"]
    assert again["b"] is not first["b"]
    assert again["b"].text == texts["b"]
