"""Defines what the viewer shows of a document: its pages, the position of a quote, search hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

ViewKind = Literal["pages", "reading"]
"""How a document is shown: ``pages``: as images of its pages; ``reading``: as its text in sanitised HTML."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height as fractions of the page as it is shown: turned upright and cropped."""


class PicturedPage(BaseModel):
    """How much of a page is pictures: ``share`` of its area (0..1), and the ``characters`` of its text layer without
    spaces."""

    share: float = 0.0
    characters: int = 0


class PageGeometry(BaseModel):
    """A paged document's dimensions: width and height of each page in points as displayed, and the printed page
    numbers."""

    sizes: list[tuple[float, float]]
    labels: list[str | None] = []


class Heading(BaseModel):
    """An entry of the outline; ``page`` counts from 1."""

    title: str
    level: int
    page: int | None = None


class View(BaseModel):
    """What the viewer page must know before it shows a document. ``labels`` is empty if all page numbers equal their
    position; ``tables`` is the number of tables that can be opened."""

    id: str
    title: str
    filename: str
    size: int
    state: str
    kind: ViewKind
    pages: int = 0
    sizes: list[tuple[float, float]] = []
    labels: list[str | None] = []
    outline: list[Heading] = []
    tables: int = 0


class Marks(BaseModel):
    """The rectangles to highlight on one page, one per line: ``quote`` is the cited text, ``passage`` the passage
    around it, ``cell`` the requested table cell."""

    cell: list[Rectangle] = []
    quote: list[Rectangle] = []
    passage: list[Rectangle] = []


class Place(BaseModel):
    """The position of a passage and of the words quoted from it.

    ``page`` is the page to open; ``marks`` are by page number; ``found`` lists what could be highlighted. ``passage``
    is its text, ``table`` the number of the document's table that it shows; ``cell`` is the printed text of the
    requested cell.
    """

    page: int | None = None
    found: Literal["quote", "passage", "nothing"] = "nothing"
    marks: dict[int, Marks] = {}
    passage: str = ""
    table: int | None = None
    cell: str = ""


class Hit(BaseModel):
    """A search hit with the text around it: ``before`` + ``match`` + ``after``."""

    item_id: str
    page: int | None
    before: str
    match: str
    after: str


class FoundWords(BaseModel):
    """The first hits of a search in reading order, and the number of all hits."""

    hits: list[Hit] = []
    total: int = 0


@dataclass(frozen=True)
class CellAt:
    """A cell of a document's table, counted from 0."""

    table: int
    row: int
    column: int
