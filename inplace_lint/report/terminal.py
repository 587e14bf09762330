"""Text that is safe on a terminal, its width in cells, and colours."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\ufffb]"
)
"""Controls, bidirectional and invisible marks, line separators, lone surrogates."""

_SGR = {
    "code": "1;31",
    "primary": "1;31",
    "secondary": "1;34",
    "gutter": "1;34",
    "help": "1;36",
    "strong": "1",
    "plain": "",
}
"""Style name to the numbers of an ANSI colour sequence."""


def printable(text: str) -> str:
    """`text` with nothing in it that could move the cursor, reorder or hide what follows."""
    return _UNSAFE.sub(_visible, text)


def _visible(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number < 0x20:
        return chr(0x2400 + number)
    return chr(0x2421) if number == 0x7F else f"<U+{number:04X}>"


def width(text: str) -> int:
    """Cells that printable `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def styled(text: str, style: str, colour: bool) -> str:
    """`text` in one of the styles above when `colour` is on."""
    numbers = _SGR[style]
    return f"\x1b[{numbers}m{text}\x1b[0m" if colour and numbers and text else text
