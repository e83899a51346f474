"""Keeps caches of the server's tables current: wraps a method that changes tables, so that it clears the cache before
and after."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def forgetting(method: Callable[..., Any], forget: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(method)
    def around(*given: Any, **named: Any) -> Any:
        forget()
        try:
            return method(*given, **named)
        finally:
            forget()

    return around
