"""The pinned packages: fetched once, checked by their digest, unpacked into a cache folder."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
PINS = Path(__file__).with_name("packages.toml")
PLATFORMS = ("any", "manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
TARGET = ("--only-binary", ":all:", "--python-version", "3.11", "--implementation", "cp")
ABIS = ("cp311", "abi3", "none")


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel by version and digest; without one, what is installed here."""

    name: str
    version: str
    sha256: str | None = None

    @property
    def slug(self) -> str:
        """The folder it is unpacked in."""
        return f"{self.name}-{self.version}"


def pinned() -> list[Package]:
    """All packages, in the order of the file."""
    table = tomllib.loads(PINS.read_text(encoding="utf-8"))
    return [Package(p["name"], p["version"], p.get("sha256")) for p in table["package"]]


def tree(package: Package, cache: Path) -> Path:
    """The folder of its sources, fetched where it is not there yet."""
    if package.sha256 is None:
        return _installed(package)
    folder = cache / package.slug
    if not folder.is_dir():
        _fetch(package, folder)
    return folder


def _installed(package: Package) -> Path:
    found = importlib.util.find_spec(package.name)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"{package.name} is not installed")
    return Path(next(iter(found.submodule_search_locations)))


def _fetch(package: Package, folder: Path) -> None:
    """Download the wheel and unpack its Python files."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
        options = ["--no-deps", "--quiet", "--require-hashes", "--dest", scratch, *TARGET]
        options += [word for name in PLATFORMS for word in ("--platform", name)]
        options += [word for name in ABIS for word in ("--abi", name)]
        command = [sys.executable, "-m", "pip", "download", *options, "-r", str(wanted)]
        subprocess.run(command, check=True)
        wheel = next(Path(scratch).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            sources = [name for name in archive.namelist() if name.endswith(".py")]
            archive.extractall(folder, sources)


def count_lines(folder: Path) -> int:
    """Lines of Python below a folder."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
