"""When upkeep last did its work in this process, and what it found."""

from __future__ import annotations

from pydantic import BaseModel


class Done(BaseModel):
    """``changed``: what was mended, or moved; ``found``: what was seen that called for it."""

    at: float
    looked_at: int
    found: int
    changed: int


class LastDone(BaseModel):
    """``None`` is not since the start."""

    check: Done | None = None
    promotion: Done | None = None
