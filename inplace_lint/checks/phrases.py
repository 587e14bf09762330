"""Words for parts of a story: ops as a reader calls them, and out-of-place twins."""

from __future__ import annotations

import re

_MODULE = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:\(.*\))?$", re.DOTALL)
_IDENTIFIER = re.compile(r"(?:\w+\.)*\w+$")
_AUGMENTED = re.compile(r"(?P<target>[\w.]+)\s*(?P<op>[-+*/%|&^@]|//|\*\*|<<|>>)=\s*(?P<value>.+)$")
_METHOD = re.compile(r"(?P<receiver>[\w.]+)\.(?P<op>[a-z]\w*)_(?P<args>\(.*\))$")
_SUBJECT = re.compile(
    r"(?P<name>[^\W\d][\w.]*?)(?:\.[a-z]\w*_\(|\[[^\n]*\]\s*[^\s=]{0,3}=(?!=)|\s*[^\s\w=(]{1,3}=(?!=))"
)
_LIBRARIES = frozenset({"torch", "F", "np", "numpy"})
_LONGEST = 80

_NAMED_WRITES = {
    "[...] =": "an index assignment",
    "[...]=": "an index assignment",
    ".data =": "an assignment to `.data`",
}

_NO_TWIN = frozenset(
    {"zero", "copy", "fill", "normal", "uniform", "bernoulli", "random", "exponential", "cauchy"}
    | {"geometric", "log_normal", "set", "resize", "resize_as", "requires_grad", "detach", "apply"}
    | {"retain_grad", "share_memory", "map", "fill_diagonal"}
)
"""In-place methods whose name without the underscore is no method, or not its twin."""


def op_name(text: str, fallback: str = "an op") -> str:
    """`exp` -> "exp()", `nn.Conv2d` -> "nn.Conv2d", `*` -> "`*`"."""
    if not text:
        return fallback
    if text in _NAMED_WRITES:
        return _NAMED_WRITES[text]
    if _MODULE.match(text):
        return text
    if _IDENTIFIER.match(text):
        return f"{text}()"
    return text if text.endswith(")") else f"`{text}`"


def subject(text: str) -> str | None:
    """What an in-place expression writes to, as the code calls it; None if that has no name.

    `self.h.add_(1)` -> "self.h", `y += 1` -> "y", `y[0] = 1` -> "y"; `opt.step()` is no such thing.
    """
    found = _SUBJECT.match(text)
    if found is None or found["name"].partition(".")[0] in _LIBRARIES:
        return None
    return found["name"]


def out_of_place(text: str) -> str | None:
    """The plain rebinding that says the same as an in-place expression, if there is one.

    `y.add_(10)` -> "y = y.add(10)", `y += 1` -> "y = y + 1"; None for whatever is not so plain.
    """
    if "\n" in text or len(text) > _LONGEST:
        return None
    if found := _AUGMENTED.match(text):
        value = found["value"]
        plain = re.fullmatch(r"[\w.]+(?:\([^()]*\))?", value)
        right = value if plain else f"({value})"
        return f"{found['target']} = {found['target']} {found['op']} {right}"
    if (found := _METHOD.match(text)) and _one_call(found["args"]) and found["op"] not in _NO_TWIN:
        return f"{found['receiver']} = {found['receiver']}.{found['op']}{found['args']}"
    return None


def _one_call(args: str) -> bool:
    """Whether `args` is one parenthesis from its first character to its last."""
    depth = 0
    for at, char in enumerate(args):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return at == len(args) - 1
    return False
