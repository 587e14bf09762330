"""The distributions work: wheel through sdist, and editable, in environments of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HAZARD = """import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
y.add_(10)
y.sum().backward()
"""


def run(*command: str | Path, cwd: Path, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command away from the sources; the output if it ends as it should."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a clone holds that packaging reads."""
    copy = tmp_path_factory.mktemp("clone") / "inplace-lint"
    copy.mkdir()
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("inplace_lint", "rules"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignore)
    for file in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / file, copy / file)
    return copy


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the sdist; no network, the build backend is the installed one."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "-o", out, sources, cwd=out)
    (built,) = out.glob("*.whl")
    return built


def environment(folder: Path) -> Path:
    """A new environment that finds our dependencies, but after its own packages; its Python."""
    venv.create(folder, with_pip=False, symlinks=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    dependencies = Path(paths["purelib"]) / "dependencies.pth"
    dependencies.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Path(paths["scripts"]) / "python"


def install(python: Path, *what: str | Path) -> None:
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--ignore-installed", "--quiet")
    run(sys.executable, "-m", "pip", "--python", python, "install", *options, *what, cwd=Path("/"))


def works(python: Path, folder: Path, home: Path) -> None:
    """The command of this environment runs from `home`, knows its table and finds a hazard."""
    command = python.with_name("inplace-lint")
    (folder / "model.py").write_text(HAZARD, encoding="utf-8")
    where = run(python, "-c", "import inplace_lint; print(inplace_lint.__file__)", cwd=folder)
    assert home in Path(where.strip()).parents
    rows = json.loads(run(command, "ops", "exp", "--format", "json", cwd=folder))["ops"]
    assert ["ret"] in [row.get("saves") for row in rows]
    said = run(command, "check", "--no-cache", "--format", "json", cwd=folder, codes=(1,))
    (finding,) = json.loads(said)["findings"]
    assert (finding["path"], finding["line"], finding["code"]) == ("model.py", 5, "IPA101")


def test_wheel_holds_the_table_and_nothing_foreign(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"inplace_lint/rules/generated.jsonl", "inplace_lint/rules/manual.jsonl"} <= {*names}
    assert {name.split("/")[0].split("-")[0] for name in names} == {"inplace_lint"}
    assert "inplace_lint/py.typed" in names


def test_sdist_holds_what_the_tests_need(wheel: Path) -> None:
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "rules/manual.jsonl"} <= names


def test_wheel_works(wheel: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    install(python, wheel)
    works(python, tmp_path, tmp_path)


def test_editable_install_works(sources: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    install(python, "-e", sources)
    works(python, tmp_path, sources)
