"""Room for recursion: how deep a caller stands must not decide what can be parsed."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

from inplace_lint.source.errors import DEPTH, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")

_STACK_BYTES = 256 * 1024 * 1024
_RECURSION = 20_000


def with_room(work: Callable[[], _T]) -> _T:
    """Run `work`; should it run out of stack, run it again in a thread with a big one.

    A thread begins with an empty stack, so this also serves a caller that is itself deep down.
    What is too deep even so is a SourceError.
    """
    try:
        return work()
    except (RecursionError, MemoryError):
        return _in_big_thread(work)


def _in_big_thread(work: Callable[[], _T]) -> _T:
    results: list[_T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except (RecursionError, MemoryError):
            errors.append(SourceError("nested too deeply to be analysed", kind=DEPTH))
        except Exception as error:
            errors.append(error)

    old_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old_limit, _RECURSION))
    old_size = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old_size)
        sys.setrecursionlimit(old_limit)
    if errors:
        raise errors[0]
    return results[0]
