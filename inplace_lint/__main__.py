"""`python -m inplace_lint` and the `inplace-lint` script."""

from __future__ import annotations

import sys


def main() -> int:
    """Entry point of both; gives the exit code."""
    try:
        from inplace_lint.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    del sys.path[0]  # the working folder: files there must never be imported
    sys.exit(main())
