"""When upkeep last did its work, in whichever process, and what it found."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from pydantic import BaseModel, Field

from core.errors import ReadOnlyError
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection

Work = Literal["check", "promotion"]


class Done(BaseModel):
    """``changed``: what was mended, or moved; ``found``: what was seen that called for it."""

    at: float
    looked_at: int
    found: int
    changed: int


class LastDoneView(BaseModel):
    """``None`` is never."""

    check: Done | None = None
    promotion: Done | None = None


class _Row(BaseModel, populate_by_name=True):
    id: Work = Field(alias="_id")
    done: Done


class LastDone:
    def __init__(self, truth: Truth) -> None:
        self._rows = TypedCollection(truth.collection("last_done"), _Row)

    async def note(self, work: Work, done: Done) -> None:
        """Nobody is told where nothing is written now."""
        with suppress(ReadOnlyError):
            await self._rows.put(_Row(id=work, done=done))

    async def read(self) -> LastDoneView:
        rows = {row.id: row.done for row in await self._rows.find()}
        return LastDoneView(check=rows.get("check"), promotion=rows.get("promotion"))
