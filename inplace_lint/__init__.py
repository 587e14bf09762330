"""inplace-lint: finds in-place mutations that break PyTorch's autograd, without running the code.

import inplace_lint

for finding in inplace_lint.check_paths(["src"]).findings:
    print(finding.span.path, finding.span.line, finding.code, finding.message)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inplace_lint.hosts.api import Checked, check_paths, check_source

__all__ = ["Checked", "__version__", "check_paths", "check_source"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load the API when it is first used: the command imports this package for its version."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("inplace_lint.hosts.api"), name)
