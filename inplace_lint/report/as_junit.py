"""JUnit XML: a failed test case a finding; one that passed when there is none."""

from __future__ import annotations

from xml.etree import ElementTree

from inplace_lint.report.base import Report, Run
from inplace_lint.report.keys import headline, relative, story
from inplace_lint.report.terminal import printable


def render(run: Run, colour: bool) -> str:  # noqa: ARG001
    """One suite."""
    unparsable = [error for error in run.errors if error.code == "IPA001"]
    incomplete = [error for error in run.errors if error.code != "IPA001"]
    counts = {
        "name": "inplace-lint",
        "tests": str(len(run.findings) + len(run.errors) or 1),
        "failures": str(len(run.findings)),
        "errors": str(len(unparsable)),
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {**counts, "skipped": str(len(incomplete))})
    for found in run.findings:
        case = _case(suite, found.span.path, found.span.line, found.span.column, found.code)
        told = ElementTree.SubElement(
            case, "failure", message=safe(headline(found)), type=found.code
        )
        told.text = "\n".join(safe(line) for line in story(found).split("\n"))
    for error in (*unparsable, *incomplete):
        case = _case(suite, error.path, error.line, error.column, error.code)
        tag = "error" if error.code == "IPA001" else "skipped"
        ElementTree.SubElement(case, tag, message=safe(error.message))
    if not len(suite):
        ElementTree.SubElement(suite, "testcase", name="inplace-lint", classname="inplace-lint")
    return document(root)


def _case(
    suite: ElementTree.Element, path: str, line: int, column: int, code: str
) -> ElementTree.Element:
    shown = safe(relative(path))
    return ElementTree.SubElement(
        suite,
        "testcase",
        name=f"{code} at {shown}:{line}:{column}",
        classname=shown,
        file=shown,
        line=str(line),
    )


def safe(text: str) -> str:
    """Text without what XML does not allow."""
    return printable(text).replace("\ufffe", "").replace("\uffff", "")


def document(root: ElementTree.Element) -> str:
    """The XML text with its declaration."""
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


REPORT = Report("junit", "JUnit XML", render)
