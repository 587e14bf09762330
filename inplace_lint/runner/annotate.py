"""`--add-ignore`: writes an ignore comment behind each finding's statement."""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from inplace_lint.suppress import read_ignores, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inplace_lint.diagnostic import Diagnostic

_OURS = re.compile(r"(#\s*inplace-lint\s*:\s*ignore\[)([^\]]*)(\])")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")


def add_ignores(findings: Iterable[Diagnostic], reason: str) -> tuple[int, list[str]]:
    """Write the comments; gives how many lines were changed and the files left alone."""
    by_path: dict[str, list[Diagnostic]] = defaultdict(list)
    for found in findings:
        by_path[found.span.path].append(found)
    changed, left = 0, []
    for path, there in sorted(by_path.items()):
        try:
            changed += _annotate(Path(path), there, reason)
        except (OSError, SyntaxError, UnicodeError, ValueError):
            left.append(path)
    return changed, left


def _annotate(path: Path, findings: list[Diagnostic], reason: str) -> int:
    data = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    lines = _LINES.findall(text)
    codes: dict[int, set[str]] = defaultdict(set)
    for found in findings:
        codes[_last_line(text, found.span.line)].add(found.code)
    for number, wanted in codes.items():
        lines[number - 1] = with_ignore(lines[number - 1], wanted, reason)
    _overwrite(path, "".join(lines).encode(encoding), data)
    return len(codes)


def _overwrite(path: Path, new: bytes, old: bytes) -> None:
    """Write a longer text over a shorter one; a disk that is full must not cost the old one."""
    with path.open("r+b", buffering=0) as file:
        try:
            _write_all(file, new)
        except OSError:
            file.seek(0)
            _write_all(file, old)
            file.truncate(len(old))
            raise


def _write_all(file: io.FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _last_line(text: str, line: int) -> int:
    for first, last in statements(text):
        if first <= line <= last:
            return last
    raise ValueError(f"no statement on line {line}")


def with_ignore(line: str, codes: set[str], reason: str) -> str:
    """A line with an ignore comment for `codes` at its end, or in the one that is there."""
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    there = read_ignores(body.lstrip()).comments
    ours = _OURS.search(body)
    if ours and any(comment.ours for comment in there):
        known = {code.strip() for code in ours[2].split(",") if code.strip()}
        merged = ",".join(sorted(known | codes))
        return f"{body[: ours.start(2)]}{merged}{body[ours.end(2) :]}{end}"
    words = f"# inplace-lint: ignore[{','.join(sorted(codes))}] {reason}".rstrip()
    return f"{body.rstrip()}  {words}{end}"
