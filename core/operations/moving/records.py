"""Defines a move's report: for each kind, how many rows there are and whether both places are equal."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, computed_field

IndexMove = Literal["carried", "rebuilt", "another_model"]
"""Why a kind of data was not moved. ``rebuilt``: no target for the index was given, so each server builds its own from
the record store. ``another_model``: the index belongs to another embedding model than the settings name, so its
vectors cannot be used there."""


class Comparison(BaseModel):
    """A comparison for one kind of data: number of rows in both places, their digests (SHA-256 in hexadecimal), and the
    first key that differs."""

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
    """A move's report. ``mended``: number of rows that had to be copied again. ``unowned``: original files whose user
    has no records; they are not moved. ``left_here``: files in the data directory that must be copied to each
    server."""

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
    """A move's state, stored at the target: its source, its progress, and whether it has finished. ``carried``:
    finished kinds of data with their numbers of rows."""

    id: str = Field("move", alias="_id")
    source: str
    format: int
    begun_at: float
    ended_at: float | None = None
    carried: dict[str, int] = {}
