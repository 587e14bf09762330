"""An analysis for tests of the runner: what a file's text asks for happens to its worker."""

from __future__ import annotations

import os
import re
import signal
import time

from inplace_lint.diagnostic import Diagnostic, Leg, Span, ToolError
from inplace_lint.runner.protocol import FileReport

MARK = re.compile(r"HAZARD (?P<confidence>\w+)")
IMPORT = re.compile(r"^from (?P<dots>\.*)(?P<module>[\w.]*) import", re.MULTILINE)


def run(file, project, _settings):
    """One finding a `HAZARD certain` mark, in this file and in those it imports."""
    if "DIE" in file.text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "HANG" in file.text:
        time.sleep(600)
    while "SPIN" in file.text:
        pass
    if "RAISE" in file.text:
        raise KeyError("never shown")
    found, todo = [], [file]
    for each in todo:
        found += [finding(each, match) for match in MARK.finditer(each.text)]
        for match in IMPORT.finditer(each.text):
            other = project.find(each, match["module"], len(match["dots"]))
            if other is not None and other not in todo:
                todo.append(other)
    errors = [ToolError(file.path, 1, 1, "IPA002", "gave up")] if "GIVE UP" in file.text else []
    return FileReport(tuple(found), tuple(errors), {"files": 1, "with torch": "torch" in file.text})


def finding(file, match):
    line = file.text.count("\n", 0, match.start()) + 1
    span = Span(file.path, line, 1, line, len(file.lines[line - 1]) + 1)
    words = "`y` is changed in place after exp() saved it for backward"
    certain = match["confidence"] == "certain"
    return Diagnostic(
        span=span,
        code="IPA101",
        name="saved-result-mutated",
        kind="saved-modified",
        confidence=match["confidence"],
        message=words,
        assumes=None if certain else "x requires grad",
        legs=(Leg("mutated", span, "add_() changes it in place"),),
        help="write something else",
    )
