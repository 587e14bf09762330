"""IPA001: a file that cannot be read or parsed."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA001",
    name="unparsable",
    summary="A file cannot be read or is no Python.",
    page=Page(
        what="The file could not be read, decoded or parsed, so nothing in it was checked.",
        why="Hazards in it stay unseen; the other files of the run are checked all the same.",
        bad="def f(:\n    pass\n",
        good="def f():\n    pass\n",
        instead="""\
Mend the syntax, declare the encoding in the first line (PEP 263), or exclude the file.""",
    ),
)
