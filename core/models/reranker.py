"""Cross-encoders behind one protocol; with none configured there is none, and nothing pretends to be one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    @property
    def model(self) -> str: ...

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One relevance in 0..1 per passage, in the order given."""
