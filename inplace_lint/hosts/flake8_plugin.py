"""The flake8 plugin: entry point `IPA`, one run a file, in flake8's own processes.

A file is analysed by a worker of ours (one for each process of flake8), so that nothing it holds
can take flake8 down. flake8 decides which codes are on and what `# noqa` silences; of our own
configuration the rest holds: confidence, per-file-ignores, src, our ignore comments.
"""

from __future__ import annotations

import atexit
import logging
import sys
from functools import cache
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from inplace_lint import __version__
from inplace_lint.config.finder import ConfigFinder
from inplace_lint.report.base import ROLE_WORDS, certainty
from inplace_lint.runner.judge import judge
from inplace_lint.runner.protocol import Job
from inplace_lint.runner.run import DEADLINE, worker_settings
from inplace_lint.runner.supervisor import Worker
from inplace_lint.runner.texts import Texts

if TYPE_CHECKING:
    import argparse
    import ast
    from collections.abc import Iterator, Sequence

    from flake8.options.manager import OptionManager  # type: ignore[import-untyped]

    from inplace_lint.diagnostic import Diagnostic

    Found = tuple[int, int, str, type]

_LOG = logging.getLogger("flake8.inplace_lint")
_LEVELS = ("certain", "likely", "possible")


class Plugin:
    """What flake8 makes for each file."""

    name = "inplace-lint"
    version = __version__
    options: ClassVar[argparse.Namespace | None] = None
    wanted: ClassVar[bool | None] = None
    """Whether any code of ours is on; None until the first file asks."""

    def __init__(self, tree: ast.AST, lines: Sequence[str], filename: str) -> None:  # noqa: ARG002
        self._text = "".join(lines)
        self._filename = filename

    @staticmethod
    def add_options(manager: OptionManager) -> None:
        """Register our options, on the command line and in flake8's configuration."""
        manager.add_option(
            "--inplace-lint-confidence",
            choices=_LEVELS,
            default=None,
            parse_from_config=True,
            help="the least confidence that is shown (default: as inplace-lint is configured)",
        )

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Keep the options; warn once where a prefix of another plugin mutes us."""
        cls.options, cls.wanted = options, None
        muting = _muting_prefix(options)
        if muting and parent_process() is None:
            sys.stderr.write(
                f"inplace-lint: `ignore = {muting}` mutes the IPA codes as well;"
                " `extend-select = IPA` turns them on again\n"
            )

    def run(self) -> Iterator[Found]:
        """Line, 0-based column, text and type of each finding; never raises."""
        try:
            found = self._found()
        except Exception as error:  # flake8 would end the whole run
            _LOG.warning("%s: inplace-lint failed: %s", self._filename, type(error).__name__)
            return
        for each in found:
            yield each.span.line, each.span.column - 1, _words(each), type(self)

    def _found(self) -> Sequence[Diagnostic]:
        if Plugin.wanted is None:
            Plugin.wanted = self.options is None or _any_selected(self.options)
        if not Plugin.wanted or "torch" not in self._text:
            return ()
        return _check(self._text, self._filename, self.options)


def _check(text: str, filename: str, options: argparse.Namespace | None) -> Sequence[Diagnostic]:
    """The findings that stand in this file itself."""
    finder = _finder(getattr(options, "inplace_lint_confidence", None))
    shown = Path(filename).as_posix()
    report = _worker(finder, shown).run(Job(filename, shown, text))
    for error in report.errors:
        _LOG.warning("%s:%d: %s %s", error.path, error.line, error.code, error.message)
    verdict = judge({shown: report}, finder.of, Texts({shown: Path(filename)}, {shown: text}))
    return [found for found in verdict.findings if found.span.path == shown]


@cache
def _finder(confidence: str | None) -> ConfigFinder:
    given: dict[str, Any] = {"select": ("ALL",), "ignore": ("IPA0",)}
    if confidence is not None:
        given["confidence"] = confidence
    return ConfigFinder(given)


def _worker(finder: ConfigFinder, shown: str) -> Worker:
    """The worker of this process for files under one configuration."""
    config = finder.of(shown)
    if config.root not in _WORKERS:
        worker = _WORKERS[config.root] = Worker(worker_settings(config), DEADLINE)
        atexit.register(worker.stop)
    return _WORKERS[config.root]


_WORKERS: dict[Path, Worker] = {}


def _any_selected(options: argparse.Namespace) -> bool:
    """Whether flake8 would show any code of ours."""
    from flake8.style_guide import Decision, DecisionEngine  # type: ignore[import-untyped]

    from inplace_lint.checks.registry import registry

    engine = DecisionEngine(options)
    codes = [check.code for check in registry().values() if check.kind]
    return any(engine.decision_for(code) is Decision.Selected for code in codes)


def _muting_prefix(options: argparse.Namespace) -> str:
    """A prefix shorter than ours in `ignore`, unless a longer one selects us again."""
    ignored = [*(options.ignore or ()), *(options.extend_ignore or ())]
    selected = [*(options.select or ()), *(options.extend_select or ())]
    if any(code.startswith("IPA") for code in selected):
        return ""
    return next((code for code in ignored if code in ("I", "IP")), "")


def _words(found: Diagnostic) -> str:
    """Code, message, condition and the other legs' places, on one line."""
    doubt = certainty(found)
    legs = [
        f"{ROLE_WORDS[leg.role]} {_place(leg.span.path, found)}{leg.span.line}:{leg.span.column}"
        for leg in found.legs
        if leg.span != found.span
    ]
    words = f"{found.code} {found.message}"
    words += f" [{doubt}]" if doubt else ""
    return words + (f" ({', '.join(legs)})" if legs else "")


def _place(path: str, found: Diagnostic) -> str:
    return "" if path == found.span.path else f"{path}:"
