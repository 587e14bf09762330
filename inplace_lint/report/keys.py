"""What machine formats share: relative paths, severities, fingerprints, columns in other units."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lint.diagnostic import cell_path, split_cell
from inplace_lint.report.base import ROLE_WORDS, certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inplace_lint.diagnostic import Diagnostic, Span
    from inplace_lint.report.base import Run

LEVELS = {"certain": "error", "likely": "warning", "possible": "note"}
"""How bad a finding is by its confidence; GitHub says "notice" for "note"."""
WORST_FIRST = {"certain": 0, "likely": 1, "possible": 2}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def relative(path: str) -> str:
    """The file of a shown path, relative to the working folder where it lies below it."""
    path, _ = split_cell(path)
    try:
        return Path(path).relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path


def to_json(value: Any, indent: int | None = 2) -> str:
    """JSON in ASCII that every reader takes: what is no Unicode (odd file names) is replaced."""
    return json.dumps(_unicode(value), indent=indent) + "\n"


def _unicode(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _unicode(inner) for key, inner in value.items()}
    return [_unicode(inner) for inner in value] if isinstance(value, list) else value


def worst_first(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings by falling confidence, else in their order."""
    return sorted(findings, key=lambda found: WORST_FIRST[found.confidence])


def line_text(run: Run, span: Span) -> str:
    """The text of the line a span begins on, without its indent; "" where it can't be read."""
    lines = run.lines_of(span.path) or ()
    return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""


def fingerprints(run: Run) -> list[str]:
    """A key for each finding: stable when lines shift, unique within the run."""
    seen: Counter[tuple[str, ...]] = Counter()
    keys = []
    for found in run.findings:
        parts = (relative(found.span.path), found.code, line_text(run, found.span))
        seen[parts] += 1
        whole = "\0".join([*parts, str(seen[parts])])
        keys.append(hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()[:32])
    return keys


def story(found: Diagnostic) -> str:
    """Everything a format with one text a finding can say: message, condition, legs, help."""
    parts = [headline(found)]
    for leg in found.legs:
        parts.append(f"{ROLE_WORDS[leg.role]} ({place(leg.span)}): {leg.message}")
    if found.help:
        parts.append(f"help: {found.help}")
    return "\n".join(parts)


def place(span: Span) -> str:
    """`path:line:column`, with the cell in a notebook."""
    cell = split_cell(span.path)[1]
    path = relative(span.path) if cell is None else cell_path(relative(span.path), cell)
    return f"{path}:{span.line}:{span.column}"


def headline(found: Diagnostic) -> str:
    """The message with the condition it holds under."""
    doubt = certainty(found)
    cell = split_cell(found.span.path)[1]
    where = f" (cell {cell})" if cell is not None else ""
    return found.message + where + (f" [{doubt}]" if doubt else "")


def byte_column(run: Run, path: str, line: int, column: int) -> int:
    """A 1-based column in code points as one in UTF-8 bytes."""
    lines = run.lines_of(path) or ()
    text = lines[line - 1][: column - 1] if 0 < line <= len(lines) else ""
    beyond = max(0, column - 1 - len(text))
    return len(text.encode(errors="surrogatepass")) + beyond + 1
