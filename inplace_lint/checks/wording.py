"""From a story to a diagnostic: the check that takes it, its words, and the merging of findings.

Several paths tell of the same write; one finding a (site, code) is kept: the best confidence wins,
and what the others saw saved elsewhere becomes further legs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from inplace_lint.checks import phrases
from inplace_lint.checks.registry import registry
from inplace_lint.diagnostic import Diagnostic, Leg
from inplace_lint.domain.story import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inplace_lint.checks.base import Check
    from inplace_lint.diagnostic import Span
    from inplace_lint.domain.story import Step, Story
    from inplace_lint.ir.function import Site

_BEFORE = ("leaf", "view", "saved", "freed")
"""Roles told before the calls that lead to the write; "mutated" and "used" follow them."""

_WORDS = {
    "leaf": "it requires grad",
    "view": "{how} gives a view",
    "saved": "{saver} saves it for backward",
    "freed": "this backward frees what the graph saved",
    "mutated": "{mutator} changes it in place",
    "used": "backward needs the saved value",
}


def find_check(story: Story) -> Check:
    """The check that words `story`; exactly one takes each kind, role and how."""
    for check in registry().values():
        if check.matches(story):
            return check
    raise LookupError(f"no check for kind {story.kind!r}, role {story.role!r}, how {story.how!r}")


def diagnose(
    story: Story, span_of: Callable[[Site], Span], text_of: Callable[[Site], str]
) -> Diagnostic:
    """Word one story. `text_of` gives the source text of a site."""
    check = find_check(story)
    span = span_of(story.mutated.site)
    text = text_of(story.mutated.site)
    fields = _fields(check, story, text)
    words = check.wording(story)
    return Diagnostic(
        span=span,
        code=check.code,
        name=check.name,
        kind=story.kind,
        confidence=story.confidence,
        message=words.message.format_map(fields),
        assumes=story.assumes,
        legs=tuple(_legs(check, story, span_of, fields)),
        help=_help(check, words.help.format_map(fields), text),
    )


def collect(
    stories: Iterable[Story], span_of: Callable[[Site], Span], text_of: Callable[[Site], str]
) -> list[Diagnostic]:
    """Word stories and merge them, sorted by place and code."""
    return merge(diagnose(story, span_of, text_of) for story in stories)


def merge(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """One diagnostic a (span, code), sorted by path, line, column and code."""
    groups: dict[tuple[Span, str], list[Diagnostic]] = defaultdict(list)
    for diagnostic in diagnostics:
        groups[diagnostic.span, diagnostic.code].append(diagnostic)
    return [_join(groups[key]) for key in sorted(groups)]


def _join(group: list[Diagnostic]) -> Diagnostic:
    group.sort(key=lambda d: (-LEVELS.index(d.confidence), d.message, d.assumes or "", d.legs))
    best, *others = group
    seen = {leg.span for leg in best.legs if leg.role == "saved"}
    further = {
        leg.span: leg
        for other in others
        for leg in other.legs
        if leg.role == "saved" and leg.span not in seen
    }
    if not further:
        return best
    at = max((i for i, leg in enumerate(best.legs) if leg.role == "saved"), default=-1) + 1
    return replace(
        best, legs=(*best.legs[:at], *(further[k] for k in sorted(further)), *best.legs[at:])
    )


def _fields(check: Check, story: Story, text: str) -> dict[str, str]:
    fields = {
        "saver": phrases.op_name(story.saver),
        "mutator": phrases.op_name(story.mutator, "a write"),
        "how": phrases.op_name(story.how, "the view"),
    }
    anonymous = check.anonymous.format_map(fields)
    name = story.name or phrases.subject(text)
    fields["name"] = f"`{name}`" if name else anonymous
    return fields


def _help(check: Check, words: str, text: str) -> str:
    twin = phrases.out_of_place(text) if check.rewrite else None
    if twin:
        return f"write `{twin}`, which makes a new tensor; {words}"
    return f"make a new tensor instead, {words}" if check.rewrite else words


def _legs(
    check: Check, story: Story, span_of: Callable[[Site], Span], fields: dict[str, str]
) -> Iterator[Leg]:
    own = check.wording(story).legs

    def leg(role: str, step: Step) -> Leg:
        words = own.get(role, _WORDS[role]).format_map(fields)
        return Leg(role, span_of(step.site), f"{words} ({step.note})" if step.note else words)

    for role in _BEFORE:
        if (step := getattr(story, role)) is not None:
            yield leg(role, step)
    for site in story.via:
        yield Leg("via", span_of(site), "leads to the write")
    yield leg(check.site, story.mutated)
    if story.used is not None and check.site != "used":
        yield leg("used", story.used)
