"""Defines a document's outline: its sections in reading order, each with its level and position."""

from __future__ import annotations

from pydantic import BaseModel

from core.store.items import SectionRole


class Section(BaseModel, frozen=True):
    """A section. ``level`` counts from 1; ``path`` are the titles from the first level down to its own.

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
    """The sections of a document. ``page_labels`` are the printed page numbers, one per page; empty if no page has
    one."""

    sections: list[Section] = []
    page_labels: list[str | None] = []
