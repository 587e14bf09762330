"""Entry points: what of a file is run, in which order, with which arguments.

analyse      one file: its entries, each along a few paths; the stories found
entries      which functions, modules and classes are entered, and how sure that is
arguments    the values they are entered with      world    objects that arguments name
lives        how a module, a class, a function is driven, and which backward is assumed
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inplace_lint.interp.project import NoProject, Project

if TYPE_CHECKING:
    from inplace_lint.domain.story import Story
    from inplace_lint.ir.function import Site
    from inplace_lint.source import SourceFile

__all__ = ["NoProject", "Project", "Result", "Settings", "analyse"]


@dataclass(slots=True)
class Settings:
    """`paths` an entry at most, `steps` a path; `strict` raises internal errors (for tests)."""

    paths: int = 4
    steps: int = 5000
    confidence: str = "likely"
    strict: bool = False
    coverage: bool = False
    """whether to measure what was executed, too"""


@dataclass(slots=True)
class Result:
    """What the analysis of one file gave."""

    stories: list[Story] = field(default_factory=list)
    errors: list[tuple[Site | None, str]] = field(default_factory=list)
    revealed: list[tuple[Site, str]] = field(default_factory=list)
    coverage: Counter[str] = field(default_factory=Counter)
    unmet: list[str] = field(default_factory=list)
    """the mutation sites that nothing executed, each with its cause"""


def analyse(file: SourceFile, project: Project, settings: Settings | None = None) -> Result:
    """Run a file's entry points and collect the stories."""
    from inplace_lint.harness.explore import run_file

    return run_file(file, project, settings or Settings())
