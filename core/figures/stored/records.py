"""Defines the records of stored figures: a figure, a lookup and a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic import BaseModel


class StoredFigure(BaseModel, frozen=True):
    """A number of a document with its meaning and its place.

    ``label`` is the row's label as printed, ``parents`` the labels above it, outermost first, and ``header`` the
    column's heading; ``measure`` is the key of the measure that the label names (``""`` if none is known). ``entity``
    is the organisation of the document, ``segment`` the part of it that the row or the table is about. ``period`` is a
    key of ``core.language.entities.periods``. ``value`` is as printed, before ``scale`` (1e6 means millions); ``text``
    is the printed cell; ``currency`` is an ISO code. ``table``, ``row`` and ``column`` count from 0; they are ``None``
    for a figure from a sentence, which ``text`` then quotes. ``page`` counts from 1.
    """

    document_id: str
    title: str = ""
    label: str
    parents: tuple[str, ...] = ()
    header: str = ""
    caption: str = ""
    measure: str = ""
    entity: str = ""
    segment: str = ""
    period: str = ""
    value: float
    unit: str = ""
    scale: float = 1.0
    currency: str = ""
    text: str
    page: int | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None


class FigureQuery(BaseModel, frozen=True):
    """What to look up. ``measure`` is in the words of a question or a row label; the other fields restrict the result
    if they are not empty. ``document_ids`` of ``None`` means all documents of the library that the user may read, and
    those attached to the conversation ``conversation_id``."""

    measure: str
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    segment: str = ""
    document_ids: tuple[str, ...] | None = None
    conversation_id: str | None = None
    limit: int = 50


class FigureMatch(BaseModel, frozen=True):
    """A figure that matches a lookup; ``score`` is 0..1, where 1 means that the label names exactly the measure."""

    figure: StoredFigure
    score: float


class FigureLookup(Protocol):
    """Looks up the stored figures of one user."""

    async def find(self, user_id: str, query: FigureQuery) -> Sequence[FigureMatch]:
        """Returns the matches, best first, at most ``query.limit``."""
        ...

    async def of_document(self, user_id: str, document_id: str) -> Sequence[StoredFigure]:
        """Returns all figures of a document in reading order; none if they are not stored yet."""
        ...
