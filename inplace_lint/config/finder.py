"""Which configuration holds for a path: files, then the command line over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.config.nearest import nearest
from inplace_lint.config.options import Config
from inplace_lint.source.decode import is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

COMMAND_LINE = "command line"
DEFAULT = "default"


class ConfigFinder:
    """Gives the configuration in force for a path; `given` are values of the command line.

    `file` holds for all paths when it is set; `isolated` means no file is read.
    """

    def __init__(
        self, given: Mapping[str, Any], file: Path | None = None, isolated: bool = False
    ) -> None:
        self._given = dict(given)
        self._isolated = isolated
        self._only = self._load(file) if file is not None else None
        self._nearest: dict[Path, Path | None] = {}
        self._by_folder: dict[Path, Config] = {}
        self._by_file: dict[Path | None, Config] = {}

    def of(self, path: str) -> Config:
        """The configuration for a file or folder, as it is given on the command line."""
        if self._only is not None:
            return self._only
        whole = Path(path).absolute()
        folder = whole if is_folder(whole) else whole.parent
        if folder not in self._by_folder:
            file = None if self._isolated else nearest(folder, self._nearest)
            if file not in self._by_file:
                self._by_file[file] = self._load(file)
            self._by_folder[folder] = self._by_file[file]
        return self._by_folder[folder]

    def _load(self, file: Path | None) -> Config:
        if file is None:
            return self._over(Config(root=Path.cwd()))
        from inplace_lint.config.load import load

        return self._over(load(file))

    def _over(self, config: Config) -> Config:
        origins = dict(config.origins)
        origins.update({name.replace("_", "-"): COMMAND_LINE for name in self._given})
        return replace(config, origins=origins, **self._given)
