"""The options, all of them: one row each, from which come parsing, help, schema and docs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DEFAULT_EXCLUDES = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".inplace_lint_cache",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)

CONFIDENCES = ("certain", "likely", "possible")
"""Falling."""

CODES, GLOBS, PATHS, RULE_FILES, CHOICE, FLAG, VERSION, CODES_BY_GLOB = (
    "codes",
    "globs",
    "paths",
    "rule files",
    "choice",
    "flag",
    "version",
    "codes by glob",
)


@dataclass(frozen=True, slots=True)
class Option:
    """One key of the configuration. `attribute` is its name in `Config`."""

    name: str
    kind: str
    doc: str
    choices: tuple[str, ...] = ()

    @property
    def attribute(self) -> str:
        """`extend-select` is `extend_select` in Python."""
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Config:
    """The values in force for a file. `root` is what globs and paths are relative to.

    `origins` says for each option that was set where that was: a file with line, or the command
    line.
    """

    root: Path
    select: tuple[str, ...] = ("IPA",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDES
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    confidence: str = "likely"
    target_torch: str = ""
    src: tuple[str, ...] = (".", "src")
    extra_rules: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)


OPTIONS = (
    Option("select", CODES, "Codes or prefixes that are on; ALL turns on the opt-in ones, too."),
    Option("ignore", CODES, "Codes or prefixes that are off; the longer prefix wins."),
    Option("extend-select", CODES, "Codes or prefixes that are on besides those of select."),
    Option("per-file-ignores", CODES_BY_GLOB, "For each glob the codes that are off in its files."),
    Option("exclude", GLOBS, "Files and folders not to enter, in place of the default list."),
    Option("extend-exclude", GLOBS, "Files and folders not to enter, besides those of exclude."),
    Option("force-exclude", FLAG, "Excludes hold for files named on the command line as well."),
    Option(
        "confidence",
        CHOICE,
        "The least confidence that is shown.",
        choices=CONFIDENCES,
    ),
    Option("target-torch", VERSION, "The PyTorch version the code runs on, such as 2.4."),
    Option("src", PATHS, "Folders where absolute imports of the project begin."),
    Option("extra-rules", RULE_FILES, "Files with rows of your own for the rule table."),
)
