"""Where words stand in documents: for each document the best places, each as pieces of its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A run of a snippet; ``found``: it is one of the words that were searched for."""

    text: str
    found: bool


@dataclass(frozen=True)
class Place:
    """A passage that holds the words, in short."""

    item_id: str
    page: int | None
    section: str | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class FoundIn:
    """The best places of a document; ``more`` are those that are not shown."""

    document_id: str
    places: tuple[Place, ...]
    more: int = 0
