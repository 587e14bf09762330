"""IPA003: an ignore comment that no longer silences anything."""

from inplace_lint.checks.base import Check, Page

CHECK = Check(
    code="IPA003",
    name="unused-ignore",
    summary="An ignore comment silences nothing.",
    opt_in=True,
    page=Page(
        what="""\
`# inplace-lint: ignore[IPA101]`, or one of our codes in `# noqa: IPA101`, silences nothing any
more. Off by default: `--extend-select IPA003` turns it on. A blanket `# noqa` is never
reported, nor is a code that is not selected or whose finding is only hidden by its confidence.""",
        why="A stale comment hides the next real hazard on its line.",
        bad="x = 1  # inplace-lint: ignore[IPA101] left over\n",
        good="x = 1\n",
        instead="Delete the comment.",
    ),
)
