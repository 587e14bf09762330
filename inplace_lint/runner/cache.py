"""Reports kept from run to run, in `.inplace_lint_cache`: one small JSON file each.

The name of an entry is a hash of all that a report hangs on and that is known beforehand: the
version, the rule table, the settings, the working folder, how the file is shown, and its bytes. In
it stands what the analysis then looked at: where imports led, and the bytes of the files they led
to. All of that must be unchanged. It is JSON, because whoever can write into a folder must not be
able to make the linter run code; entries are written beside and renamed, so that runs may overlap
and die; whatever is wrong with the folder only costs time.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint import __version__
from inplace_lint.diagnostic import Diagnostic, Edit, Fix, Leg, Span, ToolError
from inplace_lint.opdb import load
from inplace_lint.runner.project import DiskProject
from inplace_lint.runner.protocol import Depends, FileReport
from inplace_lint.source import SourceError
from inplace_lint.source.decode import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from inplace_lint.runner.protocol import Job, WorkerSettings

FOLDER = ".inplace_lint_cache"
_FORMAT = 1
_MOST = 20_000
"""Entries kept; the oldest go first."""
_FILES = {
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Made by inplace-lint.\n",
    ".gitignore": "# Made by inplace-lint.\n*\n",
}


class Cache:
    """The reports of earlier runs under one configuration."""

    def __init__(self, root: Path, settings: WorkerSettings) -> None:
        self._folder = root / FOLDER
        self._project = DiskProject(settings.roots, settings.given)
        self._given = settings.given
        self._base = _base(settings)
        self._digests: dict[str, str | None] = {}
        self._located: dict[tuple[str, str, int], str | None] = {}
        self._started = time.time()

    def around(
        self, jobs: Sequence[Job], run: Callable[[Sequence[Job]], dict[str, FileReport]]
    ) -> dict[str, FileReport]:
        """The reports of jobs: those that are known, and what `run` gives for the others."""
        reports: dict[str, FileReport] = {}
        left, keys = [], {}
        for job in jobs:
            data = _bytes(job)
            key = keys[job.shown] = None if data is None else self.key(job.shown, data)
            known = None if key is None else self.find(key)
            if known is None:
                left.append(replace(job, data=data))
            else:
                reports[job.shown] = known
        made = run(left) if left else {}
        named = ((keys[shown], report) for shown, report in made.items())
        self.save((key, report) for key, report in named if key is not None)
        return {**reports, **made}

    def key(self, shown: str, data: bytes) -> str:
        """The name of the entry for a file with these bytes."""
        return _hash([self._base, shown.encode(errors="surrogatepass"), data])

    def find(self, key: str) -> FileReport | None:
        """The report, if there is one and nothing it looked at has changed."""
        try:
            entry = json.loads(read_bytes(self._folder / key))
            return _report(entry) if self._holds(entry["depends"]) else None
        except (SourceError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def save(self, reports: Iterable[tuple[str, FileReport]]) -> None:
        """Write entries; reports that hang on more than is known are left out."""
        reports = list(reports)
        with contextlib.suppress(OSError):
            if not reports:
                return
            self._prepare()
            for key, report in reports:
                if report.depends is not None and self._settled(report.depends):
                    self._write(key, json.dumps(self._entry(report)))
            self._prune()

    def _entry(self, report: FileReport) -> dict[str, Any]:
        assert report.depends is not None
        return {
            "findings": [asdict(found) for found in report.findings],
            "errors": [asdict(error) for error in report.errors],
            "coverage": report.coverage,
            "comments": report.comments,
            "depends": {
                "located": [[*asked, found] for asked, found in report.depends.located],
                "files": [
                    [real, self._digest(real), self._given.get(real)]
                    for real in report.depends.files
                ],
            },
        }

    def _holds(self, depends: dict[str, Any]) -> bool:
        files = all(
            self._digest(real) == digest and self._given.get(real) == shown
            for real, digest, shown in depends["files"]
        )
        return files and all(
            self._locate(folder, module, level) == found
            for folder, module, level, found in depends["located"]
        )

    def _locate(self, folder: str, module: str, level: int) -> str | None:
        key = (folder, module, level)
        if key not in self._located:
            found = self._project.locate(Path(folder, "_"), module, level)
            self._located[key] = None if found is None else str(found)
        return self._located[key]

    def _digest(self, real: str) -> str | None:
        """A hash of a file's bytes; None if it can't be read."""
        if real not in self._digests:
            try:
                self._digests[real] = _hash([read_bytes(Path(real))])
            except SourceError:
                self._digests[real] = None
        return self._digests[real]

    def _settled(self, depends: Depends) -> bool:
        """Whether no file has been written since the run began: the bytes analysed are known."""
        try:
            return all(Path(real).stat().st_mtime < self._started for real in depends.files)
        except OSError:
            return False

    def _prepare(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, text in _FILES.items():
            if not (self._folder / name).exists():
                self._write(name, text)

    def _write(self, name: str, text: str) -> None:
        beside = self._folder / f"{name}.{os.getpid()}.new"
        try:
            beside.write_text(text, encoding="utf-8", newline="\n")
            beside.replace(self._folder / name)
        except OSError:
            beside.unlink(missing_ok=True)
            raise

    def _prune(self) -> None:
        entries = [entry for entry in os.scandir(self._folder) if entry.name not in _FILES]
        if len(entries) > _MOST:
            entries.sort(key=lambda entry: entry.stat().st_mtime)
            for entry in entries[: len(entries) - _MOST * 3 // 4]:
                Path(entry.path).unlink(missing_ok=True)


def _bytes(job: Job) -> bytes | None:
    """A file's bytes: what is looked up is what is analysed, even if the file changes meanwhile."""
    try:
        return read_bytes(Path(job.path))
    except SourceError:
        return None


def _base(settings: WorkerSettings) -> bytes:
    """What all entries of a run share: the linter, its table, its settings, the working folder."""
    known = (settings.analysis, settings.paths, settings.steps, settings.confidence)
    rest = (settings.target_torch, settings.roots, __version__, _FORMAT, str(Path.cwd()))
    parts = [repr((*known, *rest)).encode(errors="backslashreplace")]
    tables = (load.folder() / name for name in load.FILES)
    libraries = sorted((load.folder() / "library").glob("*.py"))
    for path in (*tables, *libraries, *map(Path, settings.extra_rules)):
        with contextlib.suppress(OSError):
            parts.append(path.read_bytes())
    parts += [repr(row).encode() for row in sorted(_own_code())]
    return _hash(parts).encode()


def _own_code() -> Iterator[tuple[str, int, int]]:
    """Name, size and time of every module of the linter: a checkout changes without its version."""
    top = Path(__file__).resolve().parent.parent
    for path in top.rglob("*.py"):
        known = path.stat()
        yield path.relative_to(top).as_posix(), known.st_size, known.st_mtime_ns


def _hash(parts: Iterable[bytes]) -> str:
    digest = blake2b(digest_size=20)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _report(entry: dict[str, Any]) -> FileReport:
    return FileReport(
        findings=tuple(map(_diagnostic, entry["findings"])),
        errors=tuple(ToolError(**error) for error in entry["errors"]),
        coverage={str(name): int(number) for name, number in entry["coverage"].items()},
        comments=str(entry["comments"]),
    )


def _diagnostic(raw: dict[str, Any]) -> Diagnostic:
    legs = tuple(Leg(leg["role"], Span(**leg["span"]), leg["message"]) for leg in raw["legs"])
    return Diagnostic(**{**raw, "span": Span(**raw["span"]), "legs": legs, "fix": _fix(raw["fix"])})


def _fix(raw: dict[str, Any] | None) -> Fix | None:
    if raw is None:
        return None
    edits = tuple(Edit(Span(**edit["span"]), edit["text"]) for edit in raw["edits"])
    return Fix(raw["safety"], raw["reason"], edits)
