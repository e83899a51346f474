"""What a move tells: of each kind how much there was and whether it is the same at the other place."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, computed_field

IndexMove = Literal["carried", "rebuilt", "another_model"]
"""``rebuilt``: no place for it was named, so each server fills its own from the truth. ``another_model``: the index was
made for another embedding model than the settings name, so its vectors are of no use there."""


class Comparison(BaseModel):
    """Of one kind: rows here and there, their digests (SHA-256 in hexadecimal), and the first key that differs."""

    name: str
    count: int
    digest: str
    count_there: int
    digest_there: str
    differing: int = 0
    first: str = ""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def alike(self) -> bool:
        return self.differing == 0


class MoveReport(BaseModel):
    """``mended``: rows that had to be carried once more. ``unowned``: originals of nobody who has records, which stay
    behind. ``left_here``: files of the data directory that each server needs a copy of."""

    source: str
    target: str
    parts: list[Comparison]
    index: IndexMove
    mended: int = 0
    unowned: int = 0
    left_here: list[str] = []

    @computed_field  # type: ignore[prop-decorator]
    @property
    def alike(self) -> bool:
        return all(each.alike for each in self.parts)


class BegunMove(BaseModel, populate_by_name=True):
    """Kept at the target: from where, how far, and whether it came to its end. ``carried``: kinds that were walked to
    their end, with how many rows they had."""

    id: str = Field("move", alias="_id")
    source: str
    format: int
    begun_at: float
    ended_at: float | None = None
    carried: dict[str, int] = {}
