"""Defines full-text search results: for each document the best snippets, each split into pieces of text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A piece of a snippet; ``found``: it is one of the search words."""

    text: str
    found: bool


@dataclass(frozen=True)
class Place:
    """A snippet of a passage that contains search words."""

    item_id: str
    page: int | None
    section: str | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class FoundIn:
    """A document with its best snippets; ``more`` counts the snippets not shown."""

    document_id: str
    places: tuple[Place, ...]
    more: int = 0
