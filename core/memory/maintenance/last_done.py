"""Records when maintenance last ran, in any process, and its results."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from pydantic import BaseModel, Field

from core.errors import ReadOnlyError
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection

Work = Literal["check", "promotion"]


class Done(BaseModel):
    """A maintenance run. ``changed``: number of repaired or moved items; ``found``: number of items that needed it."""

    at: float
    looked_at: int
    found: int
    changed: int


class LastDoneView(BaseModel):
    """Times of the last maintenance runs; ``None`` means never."""

    check: Done | None = None
    promotion: Done | None = None


class _Row(BaseModel, populate_by_name=True):
    id: Work = Field(alias="_id")
    done: Done


class LastDone:
    def __init__(self, truth: Truth) -> None:
        self._rows = TypedCollection(truth.collection("last_done"), _Row)

    async def note(self, work: Work, done: Done) -> None:
        """Record a run; does nothing while writing is disabled."""
        with suppress(ReadOnlyError):
            await self._rows.put(_Row(id=work, done=done))

    async def read(self) -> LastDoneView:
        rows = {row.id: row.done for row in await self._rows.find()}
        return LastDoneView(check=rows.get("check"), promotion=rows.get("promotion"))
