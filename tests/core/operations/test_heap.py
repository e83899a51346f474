from __future__ import annotations

import ctypes
import sys

import psutil
import pytest

from core.operations.heap import trim_heap

BLOCK = 40_000
"""Size of a block in bytes: small enough to be allocated from the heap, and large enough to span several pages."""


@pytest.mark.skipif(sys.platform != "linux", reason="only the C library of GNU keeps it")
async def test_what_was_freed_between_what_is_kept_is_given_back() -> None:
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    blocks = [library.malloc(BLOCK) for _ in range(2_000)]
    for block in blocks:
        ctypes.memset(block, 1, BLOCK)
    for block in blocks[::2]:
        library.free(block)
    before = psutil.Process().memory_info().rss
    await trim_heap()
    assert psutil.Process().memory_info().rss < before - BLOCK * 500
    for block in blocks[1::2]:
        library.free(block)
