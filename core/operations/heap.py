"""The heap of this process: *what the C library keeps of freed memory* → given back to the system.

What many threads free lies between what they keep, and the C library of GNU gives back the end of a heap alone: a
server that had once answered twenty people at a time kept fifty megabytes of holes.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from functools import cache


async def trim_heap() -> None:
    """Nothing where the C library is another one."""
    trim = _malloc_trim()
    if trim:
        await asyncio.to_thread(trim, 0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
