"""One Python file as text and as *units*: what the rest of the tool starts from.

A unit is one top-level statement (or several that share a line). `ast` finds the units cheaply and
says which module-level names each binds; libcst parses a unit's slice of the text only when
`lower` first reaches it (`source.cst`). Neither libcst nor anything of ours above is imported here.
"""

from inplace_lint.source.errors import SourceError
from inplace_lint.source.file import SourceFile, Unit, from_text, read_source

__all__ = ["SourceError", "SourceFile", "Unit", "from_text", "read_source"]
