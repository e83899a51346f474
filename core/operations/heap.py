"""Returns unused heap memory of this process to the operating system.

Memory freed by many threads lies between blocks in use, and GNU's C library returns only the end of a heap: a server
that had once answered twenty users at the same time kept fifty megabytes of unused memory.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from functools import cache


async def trim_heap() -> None:
    """Trim the heap; does nothing with another C library."""
    trim = _malloc_trim()
    if trim:
        await asyncio.to_thread(trim, 0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
