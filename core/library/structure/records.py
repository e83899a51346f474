"""The outline of a document: its sections in reading order, each with its level and place."""

from __future__ import annotations

from pydantic import BaseModel

from core.store.items import SectionRole


class Section(BaseModel, frozen=True):
    """``level`` counts from 1; ``path`` are the titles from the first level down to this section's own.

    ``start`` and ``end`` are offsets into the document's text (its blocks joined by two newlines).
    """

    title: str
    level: int
    path: list[str]
    role: SectionRole = "body"
    page: int | None = None
    start: int = 0
    end: int = 0


class Outline(BaseModel):
    """``page_labels`` are the numbers printed on the pages, one a page, empty when none is."""

    sections: list[Section] = []
    page_labels: list[str | None] = []
