"""Defines the orders to the drawing process, one JSON line each, and its replies."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from core.library.tables.records import Box
from core.library.viewing.records import Marks, PageGeometry, PicturedPage


class Inspect(BaseModel):
    """Asks for the number of pages, their sizes and their page labels."""

    kind: Literal["inspect"] = "inspect"
    path: Path


class Draw(BaseModel):
    """Asks for page ``page`` (from 1), ``width`` pixels wide, as WebP in the file ``target``."""

    kind: Literal["draw"] = "draw"
    path: Path
    page: int
    width: int
    target: Path


class Measure(BaseModel):
    """Asks which share of page ``page`` (from 1) pictures cover, and how much text its text layer has."""

    kind: Literal["measure"] = "measure"
    path: Path
    page: int


class PrintedCell(BaseModel):
    """A table cell printed on ``page``; ``lead`` is the text of its row before it."""

    page: int
    text: str
    box: Box | None = None
    lead: str = ""


class Find(BaseModel):
    """Asks for the position of ``passage`` on ``pages``, of the first of ``quotes`` that can be found in it after
    ``lead``, and of ``cell`` in the row that the quotes name.

    ``scans`` is the folder with the recognised words of scanned pages; ``None``: pictures are not read.
    """

    kind: Literal["find"] = "find"
    path: Path
    pages: list[int]
    passage: str
    quotes: list[str]
    lead: str = ""
    cell: PrintedCell | None = None
    scans: Path | None = None
    seconds: float = 30.0


class Render(BaseModel):
    """Asks for the document of type ``mime`` as HTML (not yet sanitised) in the file ``target``; ``encoding``: the
    chosen one."""

    kind: Literal["render"] = "render"
    path: Path
    mime: str
    encoding: str = ""
    target: Path


class Order(BaseModel):
    order: Inspect | Draw | Measure | Find | Render


class Found(BaseModel):
    """The found positions; ``page`` is the page to open."""

    page: int | None = None
    marks: dict[int, Marks] = {}
    quote_found: bool = False
    passage_found: bool = False


class Reply(BaseModel):
    """A reply; ``failed`` names the error for the log, and then nothing else is set."""

    anatomy: PageGeometry | None = None
    found: Found | None = None
    pictured: PicturedPage | None = None
    failed: str = ""
