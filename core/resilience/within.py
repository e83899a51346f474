"""Sets a context variable within a block, also for tasks started there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def within(variable: ContextVar[T], value: T) -> Iterator[T]:
    """The variable gets its old value back when the block ends, even after an exception."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)
