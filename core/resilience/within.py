"""What holds within a block: *a variable of the context, a value* → set there, in tasks that are begun there too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def within(variable: ContextVar[T], value: T) -> Iterator[T]:
    """The variable is what it was again when the block ends, however it ends."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)
