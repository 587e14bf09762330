"""Code without comments and strings, by tokens; f-strings, which hold code, stay."""

from __future__ import annotations

import re

_QUOTED = (
    r'(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\''
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
)
_TOKEN = re.compile(
    rf"(?P<kept>\b(?:[fFtT][rR]?|[rR][fFtT]){_QUOTED})|(?:\b[rRbBuU]{{1,2}})?{_QUOTED}|\#[^\n]*",
    re.DOTALL,
)
WORD = re.compile(r"[^\W\d]\w*")
"""An identifier or a keyword."""


def plain(text: str) -> str:
    """The text without them; what the pattern's only group keeps stands between the pieces."""
    return "".join(filter(None, _TOKEN.split(text)))
