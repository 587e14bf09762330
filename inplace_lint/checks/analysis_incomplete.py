"""IPA002: a file or function the tool could not analyse to the end."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA002",
    name="analysis-incomplete",
    summary="A file or function could not be analysed to the end.",
    page=Page(
        what="""\
The tool gave up on this file or function: it is nested too deeply, took too long, or met an
error of our own. It is told on stderr and in the "errors" of the JSON report, and counts as a
failure only with --strict.""",
        why="Hazards in it may stay unseen.",
        bad="x = " + "(" * 300 + "1" + ")" * 300 + "\n",
        good="x = 1\n",
        instead="""\
If the message speaks of an internal error, please report it with the function it names.""",
    ),
)
