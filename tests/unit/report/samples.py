"""Findings and texts for tests of the formats: awkward on purpose."""

from __future__ import annotations

from inplace_lint.diagnostic import Diagnostic, Edit, Fix, Leg, Span, ToolError
from inplace_lint.report.base import Run

SIMPLE = """\
import torch
x = torch.randn(3, requires_grad=True)
y = x.exp()
y.add_(10)
y.sum().backward()
"""
AWKWARD = (
    "a\n\tz = '😀é'; w = x.exp()\n\n\n\n    '文' ; w.add_(1)  # \x1b[31m\x07\n"
    + "q" * 200
    + ".add_(1)\n"
)
TEXTS = {
    "model.py": SIMPLE,
    "dir/odd name,:%.py": AWKWARD,
    "other.py": "def f(t):\n    t.add_(1)\n",
}


def span(path: str, line: int, text: str) -> Span:
    """The place of `text` in a line of one of the texts."""
    column = TEXTS[path].split("\n")[line - 1].index(text) + 1
    return Span(path, line, column, line, column + len(text))


def simple() -> Diagnostic:
    at = span("model.py", 4, "y.add_(10)")
    return Diagnostic(
        at,
        "IPA101",
        "saved-result-mutated",
        "saved-modified",
        "certain",
        "`y` is changed in place after exp() saved it for backward",
        None,
        (
            Leg("saved", span("model.py", 3, "x.exp()"), "exp() saves its result"),
            Leg("mutated", at, "add_() changes it in place"),
            Leg("used", span("model.py", 5, "y.sum().backward()"), "backward needs it here"),
        ),
        "write `y = y.add(10)`",
        Fix("safe", "add has no side effect", (Edit(at, "y = y.add(10)"),)),
    )


def awkward() -> Diagnostic:
    path = "dir/odd name,:%.py"
    at = span(path, 6, "w.add_(1)")
    return Diagnostic(
        at,
        "IPA102",
        "saved-operand-mutated",
        "saved-modified",
        "likely",
        "`w` is changed <here> & \x1b[2J after ::exp()",
        "x requires grad",
        (
            Leg("saved", span(path, 2, "x.exp()"), "exp() saves <it>"),
            Leg("via", span("other.py", 2, "t.add_(1)"), "through this call"),
            Leg("mutated", at, "add_() changes it"),
            Leg("used", Span("gone.py", 9, 1, 9, 4), "returned from forward()"),
        ),
        "write w = w + 1",
    )


def run(*findings: Diagnostic, errors: tuple[ToolError, ...] = ()) -> Run:
    """A run over the texts above."""
    lines = {path: text.split("\n") for path, text in TEXTS.items()}
    return Run(tuple(findings), errors, lines.get, 3)


ERRORS = (
    ToolError("bad.py", 1, 7, "IPA001", "invalid syntax"),
    ToolError("deep.py", 3, 1, "IPA002", "nested too deeply"),
)
