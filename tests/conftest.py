"""Collects literate programs (`tests/spec/**/*.md`) and offers `--update` for goldens."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness import literate
from tests.harness.literate import Case
from tests.harness.matching import mismatches

SPEC = Path(__file__).parent / "spec"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` rewrites goldens instead of comparing with them."""
    parser.addoption("--update", action="store_true", help="rewrite the goldens; review the diff")


def pytest_report_header() -> list[str]:
    """Say what is left out."""
    missing = importlib.util.find_spec("torch") is None
    return ["torch is not installed: tests/torch is left out"] if missing else []


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether goldens are to be rewritten."""
    return bool(request.config.getoption("--update"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A Markdown file below `tests/spec` is a file of tests."""
    if file_path.suffix == ".md" and SPEC in file_path.parents:
        return SpecFile.from_parent(parent, path=file_path)
    return None


class SpecFile(pytest.File):
    """A document of literate programs."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test a section that holds Python."""
        for case in literate.cases(self.path.read_text(encoding="utf-8")):
            item: SpecItem = SpecItem.from_parent(self, name=case.name)
            item.case = case
            if case.xfail:
                item.add_marker(pytest.mark.xfail(reason=case.xfail, strict=True))
            yield item


class MismatchError(Exception):
    """A program was not answered as its marks say."""


class SpecItem(pytest.Item):
    """One literate program, linted."""

    case: Case

    def runtest(self) -> None:
        """Lint the program in a folder of its own and compare."""
        from tests.harness.linting import lint

        with tempfile.TemporaryDirectory() as folder:
            wrong = mismatches(self.case, lint(self.case, Path(folder)))
        if wrong:
            raise MismatchError("\n".join(wrong))

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """Print the mismatches alone, with the document's own line."""
        if isinstance(excinfo.value, MismatchError):
            return f"{self.path}:{self.case.line}: {self.case.name}\n{excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the section stands."""
        return self.path, self.case.line - 1, f"{self.path.stem}: {self.case.name}"
