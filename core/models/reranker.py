"""Defines the common interface of cross-encoders; if none is configured, results are not re-ranked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    @property
    def model(self) -> str: ...

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One relevance in 0..1 per passage, in the order of the passages."""
