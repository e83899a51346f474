"""What the viewer shows of a document: its pages, the place of a quote on them, hits of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

ViewKind = Literal["pages", "reading"]
"""``pages``: pictures of its pages; ``reading``: its text as sanitised HTML."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height as fractions of the page as it is shown: turned upright and cropped."""


class PageGeometry(BaseModel):
    """Of a paged document: width and height of each page in points as shown, and the numbers printed on them."""

    sizes: list[tuple[float, float]]
    labels: list[str | None] = []


class Heading(BaseModel):
    """A line of the outline; ``page`` counts from 1."""

    title: str
    level: int
    page: int | None = None


class View(BaseModel):
    """What the page must know before it shows anything. ``labels`` is empty where no page differs from its count,
    ``tables`` how many can be opened as tables."""

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
    """On one page: one rectangle a line; ``quote`` is what was cited, ``passage`` the passage around it, ``cell`` the
    figure of a table that was asked for."""

    cell: list[Rectangle] = []
    quote: list[Rectangle] = []
    passage: list[Rectangle] = []


class Place(BaseModel):
    """Where a passage and the words quoted from it stand.

    ``page`` is where the reader should look; ``marks`` by page number; ``found`` is what could be marked.
    ``passage`` is its text, ``table`` the number of the document's table that it shows; ``cell`` what is printed in the
    cell that was asked for.
    """

    page: int | None = None
    found: Literal["quote", "passage", "nothing"] = "nothing"
    marks: dict[int, Marks] = {}
    passage: str = ""
    table: int | None = None
    cell: str = ""


class Hit(BaseModel):
    """A place where the searched words stand: the text around, ``before`` + ``match`` + ``after``."""

    item_id: str
    page: int | None
    before: str
    match: str
    after: str


@dataclass(frozen=True)
class CellAt:
    """A cell of a document's table, counted from 0."""

    table: int
    row: int
    column: int
